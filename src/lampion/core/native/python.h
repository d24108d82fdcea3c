/* What doors need of Python: a part of its stable interface, which no version from 3.11 on changes, so that
   one module serves all of them and nobody needs the headers of their Python. Arrays are read as NumPy's own
   macros read them; the order of these fields has been the same since NumPy 1.7. */
typedef struct PyObject { intptr_t refcount; struct PyObject *type; } PyObject;
typedef struct PyArray {
    PyObject head;
    char *data;
    int num_axes;
    intptr_t *dims, *strides;
    PyObject *base, *dtype;
    int flags;
} PyArray;
typedef struct PyMethod { const char *name; void *function; int flags; const char *docs; } PyMethod;
typedef struct PyModule {
    struct { PyObject head; void *init; intptr_t index; PyObject *copy; } base;
    const char *name, *docs;
    intptr_t size;
    PyMethod *methods;
    void *slots, *traverse, *clear, *free;
} PyModule;

#ifdef _WIN32
#define IMPORTED __declspec(dllimport)
#define EXPORTED __declspec(dllexport)
// What a C library would bring: nothing is done when the module is loaded, and floats are used.
int _fltused;
int _DllMainCRTStartup(void *module, unsigned reason, void *reserved) { return 1; }
#else
#define IMPORTED
#define EXPORTED __attribute__((visibility("default")))
#endif

IMPORTED extern PyObject *PyExc_TypeError, *PyExc_IndexError, *PyExc_OverflowError, *PyExc_ValueError, _Py_NoneStruct;
IMPORTED PyObject *PyErr_Format(PyObject *, const char *, ...);
IMPORTED PyObject *PyErr_Occurred(void);
IMPORTED long long PyLong_AsLongLong(PyObject *);
IMPORTED double PyFloat_AsDouble(PyObject *);
IMPORTED PyObject *PyLong_FromLongLong(long long);
IMPORTED PyObject *PyFloat_FromDouble(double);
IMPORTED PyObject *PyBool_FromLong(long);
IMPORTED PyObject *Py_BuildValue(const char *, ...);
IMPORTED PyObject *PyModule_Create2(PyModule *, int);
IMPORTED int PyModule_AddStringConstant(PyObject *, const char *, const char *);
IMPORTED PyObject *PyTuple_GetItem(PyObject *, intptr_t);
IMPORTED intptr_t PyTuple_Size(PyObject *);
IMPORTED int PyObject_RichCompareBool(PyObject *, PyObject *, int);
IMPORTED int PyType_IsSubtype(PyObject *, PyObject *);
IMPORTED void Py_IncRef(PyObject *);
IMPORTED void *PyEval_SaveThread(void);
IMPORTED void PyEval_RestoreThread(void *);

enum { FAST_CALL = 0x80, ONE_ARGUMENT = 8, EQUAL = 2, ABI_VERSION = 3 };
enum { CONTIGUOUS = 1, ALIGNED = 0x100, WRITEABLE = 0x400 };

static PyObject *array_type, *dtypes[NUM_DTYPES];

// Python hands over the type of arrays, and the types of elements in the order in which doors number them.
static PyObject *bind(PyObject *self, PyObject *given) {
    if (PyTuple_Size(given) != NUM_DTYPES + 1) return PyErr_Format(PyExc_TypeError, "bind() takes %d types", NUM_DTYPES + 1);
    array_type = PyTuple_GetItem(given, 0);
    Py_IncRef(array_type);
    for (int k = 0; k < NUM_DTYPES; ++k) {
        dtypes[k] = PyTuple_GetItem(given, k + 1);
        Py_IncRef(dtypes[k]);
    }
    Py_IncRef(&_Py_NoneStruct);
    return &_Py_NoneStruct;
}

static bool are_given(intptr_t count, intptr_t wanted, const char *door) {
    if (count == wanted) return true;
    PyErr_Format(PyExc_TypeError, "%s() takes %zd arguments, not %zd", door, wanted, count);
    return false;
}

static inline bool int_of(PyObject *given, int64_t *out) {
    *out = PyLong_AsLongLong(given);
    return *out != -1 || PyErr_Occurred() == 0;
}

static inline bool float_of(PyObject *given, double *out) {
    *out = PyFloat_AsDouble(given);
    return *out != -1.0 || PyErr_Occurred() == 0;
}

// An array of that type and number of axes, whose elements lie in memory one after the other.
static bool array_of(PyObject *given, const char *name, int dtype, int num_axes, int flags, PyArray **out) {
    PyArray *array = *out = (PyArray *)given;
    if (given->type != array_type && !PyType_IsSubtype(given->type, array_type)) {
        PyErr_Format(PyExc_TypeError, "%s has to be an array, not %R", name, given->type);
        return false;
    }
    if (array->dtype != dtypes[dtype]) {
        int same = PyObject_RichCompareBool(array->dtype, dtypes[dtype], EQUAL);
        if (same == 0) PyErr_Format(PyExc_TypeError, "%s has elements of type %R instead of %R", name, array->dtype, dtypes[dtype]);
        if (same != 1) return false;
    }
    if (array->num_axes != num_axes) {
        PyErr_Format(PyExc_ValueError, "%s has %d axes instead of %d", name, array->num_axes, num_axes);
        return false;
    }
    if ((array->flags & flags) != flags) {
        PyErr_Format(PyExc_ValueError, "%s has to be contiguous, aligned%s", name, flags & WRITEABLE ? " and writeable" : "");
        return false;
    }
    return true;
}

static inline bool is_index(int64_t index, int64_t length, const char *name) {
    if (index >= 0 && index < length) return true;
    PyErr_Format(PyExc_IndexError, "%s is %lld, and there are %lld", name, (long long)index, (long long)length);
    return false;
}

// Whether the last axis of an array has room for as much as the rules may write.
static inline bool has_room(const PyArray *array, intptr_t least, const char *name) {
    intptr_t length = array->dims[array->num_axes - 1];
    if (length >= least) return true;
    PyErr_Format(PyExc_ValueError, "%s has room for %zd, and needs %zd", name, length, least);
    return false;
}

// Whether two arrays share no memory, for rules that change one while they read the other.
static inline bool are_apart(const PyArray *one, const PyArray *other, const char *name, const char *other_name) {
    intptr_t size = one->num_axes && other->num_axes ? one->dims[0] * one->strides[0] : 0;
    intptr_t other_size = size ? other->dims[0] * other->strides[0] : 0;
    if (one->data + size <= other->data || other->data + other_size <= one->data) return true;
    PyErr_Format(PyExc_ValueError, "%s and %s share memory", name, other_name);
    return false;
}
