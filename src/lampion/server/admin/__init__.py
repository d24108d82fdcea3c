"""What operators can do, over HTTP and from the command line."""
