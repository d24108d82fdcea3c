#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SAME(a, b) _Static_assert((a) == (b), "a record of NumPy and a struct of C have the same layout")
#define ALWAYS_INLINE inline __attribute__((always_inline))

void *memset(void *, int, size_t);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);

#ifdef __wasm__
// In a browser there is no library. Compilers write loops like this one as a call of memset, unless told not to.
__attribute__((used, no_builtin)) void *memset(void *to, int value, size_t count) {
    for (size_t k = 0; k < count; ++k) ((volatile char *)to)[k] = (char)value;
    return to;
}
#endif

// Python rounds down; C cuts off. Nothing is divided by zero in a game; where it would be, the result is 0.
static ALWAYS_INLINE int64_t floor_divide(int64_t a, int64_t b) {
    if (b == 0) return 0;
    if (b == -1) return (int64_t)(0 - (uint64_t)a);
    return a / b - ((a % b != 0) & ((a < 0) != (b < 0)));
}

static ALWAYS_INLINE int64_t modulo(int64_t a, int64_t b) {
    if (b == 0 || b == -1) return 0;
    int64_t rest = a % b;
    return rest + ((rest != 0) & ((rest < 0) != (b < 0))) * b;
}

// Of two equal numbers Python takes the first.
static ALWAYS_INLINE int64_t int_min(int64_t a, int64_t b) { return b < a ? b : a; }
static ALWAYS_INLINE int64_t int_max(int64_t a, int64_t b) { return b > a ? b : a; }
static ALWAYS_INLINE uint64_t unsigned_min(uint64_t a, uint64_t b) { return b < a ? b : a; }
static ALWAYS_INLINE uint64_t unsigned_max(uint64_t a, uint64_t b) { return b > a ? b : a; }
static ALWAYS_INLINE double float_min(double a, double b) { return b < a ? b : a; }
static ALWAYS_INLINE double float_max(double a, double b) { return b > a ? b : a; }
static ALWAYS_INLINE float single_min(float a, float b) { return b < a ? b : a; }
static ALWAYS_INLINE float single_max(float a, float b) { return b > a ? b : a; }
// A slice has no more elements than there are.
static ALWAYS_INLINE int64_t slice_start(int64_t from, int64_t length) { return int_min(int_max(from, 0), length); }
static ALWAYS_INLINE int64_t slice_length(int64_t from, int64_t to, int64_t length) {
    return int_max(slice_start(to, length) - slice_start(from, length), 0);
}
static ALWAYS_INLINE double square_root(double a) { return __builtin_sqrt(a); }

#ifdef LAMPION_CHECKED
// A checked build leaves the door at the first thing that Python would not do, and says where it was.
static _Thread_local void *way_out[5];
static _Thread_local const char *problem_place, *problem;

static _Noreturn void leave(const char *what, const char *place) {
    problem = what;
    problem_place = place;
    __builtin_longjmp(way_out, 1);
}
static inline int64_t index_within(int64_t index, int64_t length, const char *place) {
    if (index < 0 || index >= length) leave("an index is out of bounds", place);
    return index;
}
static inline int64_t slice_within(int64_t from, int64_t to, int64_t length, const char *place) {
    if (from < 0 || to < from || to > length) leave("a slice is out of bounds", place);
    return from;
}
static inline int64_t array_size(int64_t length, const char *place) {
    if (length < 0 || length > 65536) leave("a local array is too large", place);
    return length;
}
static inline int64_t same_length(int64_t to, int64_t from, const char *place) {
    if (to != from) leave("arrays of different lengths", place);
    return to;
}
static inline int64_t fitting(int64_t number, int64_t least, int64_t most, const char *place) {
    if (number < least || number > most) leave("a number does not fit where it is stored", place);
    return number;
}
static inline int64_t not_zero(int64_t divisor, const char *place) {
    if (divisor == 0) leave("a division by zero", place);
    return divisor;
}
static inline int64_t shift_within(int64_t count, const char *place) {
    if (count < 0 || count > 63) leave("a shift by less than 0 or more than 63", place);
    return count;
}
static inline int64_t checked_shift_left(int64_t number, int64_t count, const char *place) {
    int64_t shifted = (int64_t)((uint64_t)number << shift_within(count, place));
    if (shifted >> count != number) leave("a shift loses bits", place);
    return shifted;
}
static inline int64_t checked_shift_right(int64_t number, int64_t count, const char *place) {
    return number >> shift_within(count, place);
}
static inline int64_t checked_int(double number, const char *place) {
    if (!(number > -9.2e18 && number < 9.2e18)) leave("a float is too large for an int", place);
    return (int64_t)number;
}

static inline int64_t signed_int(uint64_t number, const char *place) {
    if (number > INT64_MAX) leave("np.uint64 is too large for an int", place);
    return (int64_t)number;
}

static inline uint64_t unsigned_int(int64_t number, const char *place) {
    if (number < 0) leave("a negative int becomes np.uint64", place);
    return (uint64_t)number;
}
#endif
