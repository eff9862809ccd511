#include <exception>
#include <ios>

// Functions of Debian 13's C and C++ libraries that older ones do not have. The SDK's libraries use these
// there (tools/internal/sdk.py); a C library that has them comes first.

extern "C" {

// The headers would replace these names by those below.
long olderStrtol(const char* text, char** end, int base) __asm__("strtol");
unsigned long olderStrtoul(const char* text, char** end, int base) __asm__("strtoul");
long long olderStrtoll(const char* text, char** end, int base) __asm__("strtoll");
unsigned long long olderStrtoull(const char* text, char** end, int base) __asm__("strtoull");
void* olderBeginCatch(void* exception) noexcept __asm__("__cxa_begin_catch");

#define ET_EXPORTED __attribute__((visibility("default")))

ET_EXPORTED long older_strtol(const char* text, char** end, int base) __asm__("__isoc23_strtol");
ET_EXPORTED unsigned long older_strtoul(const char* text, char** end, int base) __asm__("__isoc23_strtoul");
ET_EXPORTED long long older_strtoll(const char* text, char** end, int base) __asm__("__isoc23_strtoll");
ET_EXPORTED unsigned long long older_strtoull(const char* text, char** end,
                                              int base) __asm__("__isoc23_strtoull");
ET_EXPORTED void older_call_terminate(void* exception) noexcept __asm__("__cxa_call_terminate");
ET_EXPORTED void older_init_streams() __asm__("_ZSt21ios_base_library_initv");

long older_strtol(const char* text, char** end, int base) {
    return olderStrtol(text, end, base);
}
unsigned long older_strtoul(const char* text, char** end, int base) {
    return olderStrtoul(text, end, base);
}
long long older_strtoll(const char* text, char** end, int base) {
    return olderStrtoll(text, end, base);
}
unsigned long long older_strtoull(const char* text, char** end, int base) {
    return olderStrtoull(text, end, base);
}

void older_call_terminate(void* exception) noexcept {
    if (exception != nullptr) {
        olderBeginCatch(exception);
    }
    std::terminate();
}

void older_init_streams() {
    static const std::ios_base::Init streams;
}
}
