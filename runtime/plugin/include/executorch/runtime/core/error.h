#pragma once

#include <executorch/runtime/platform/log.h>
#include <stdint.h>

namespace executorch::runtime {

typedef uint32_t error_code_t;

// Names and numbers of ExecuTorch's error codes.
#define ET_INTERNAL_FORALL_ERRORS(_)         \
    _(Ok, 0x00)                              \
    _(Internal, 0x01)                        \
    _(InvalidState, 0x02)                    \
    _(EndOfMethod, 0x03)                     \
    _(AlreadyLoaded, 0x04)                   \
    _(NotSupported, 0x10)                    \
    _(NotImplemented, 0x11)                  \
    _(InvalidArgument, 0x12)                 \
    _(InvalidType, 0x13)                     \
    _(OperatorMissing, 0x14)                 \
    _(RegistrationExceedingMaxKernels, 0x15) \
    _(RegistrationAlreadyRegistered, 0x16)   \
    _(NotFound, 0x20)                        \
    _(MemoryAllocationFailed, 0x21)          \
    _(AccessFailed, 0x22)                    \
    _(InvalidProgram, 0x23)                  \
    _(InvalidExternalData, 0x24)             \
    _(OutOfResources, 0x25)                  \
    _(DelegateInvalidCompatibility, 0x30)    \
    _(DelegateMemoryAllocationFailed, 0x31)  \
    _(DelegateInvalidHandle, 0x32)

enum class Error : error_code_t {
#define ET_INTERNAL_ERROR(name, number) name = number,
    ET_INTERNAL_FORALL_ERRORS(ET_INTERNAL_ERROR)
#undef ET_INTERNAL_ERROR
};

constexpr const char* to_string(Error error) {
    switch (error) {
#define ET_INTERNAL_ERROR(name, number) \
    case Error::name:                   \
        return "Error::" #name;
        ET_INTERNAL_FORALL_ERRORS(ET_INTERNAL_ERROR)
#undef ET_INTERNAL_ERROR
    }
    return "Error::Unknown";
}

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::Error;
using ::executorch::runtime::error_code_t;
}  // namespace torch::executor

#define ET_CHECK_OR_RETURN_ERROR(condition_, error_, message_, ...) \
    {                                                               \
        if (!(condition_)) {                                        \
            ET_LOG(Error, message_, ##__VA_ARGS__);                 \
            return ::executorch::runtime::Error::error_;            \
        }                                                           \
    }
#define ET_CHECK_OR_RETURN_FALSE(condition_, message_, ...)                           \
    {                                                                                 \
        if (!(condition_)) {                                                          \
            ET_LOG(Error, "check failed (%s) " message_, #condition_, ##__VA_ARGS__); \
            return false;                                                             \
        }                                                                             \
    }

// Takes an error, and optionally a message with its arguments.
#define ET_CHECK_OK_OR_RETURN_ERROR(...)                                                              \
    ET_INTERNAL_SELECT_OK(__VA_ARGS__, OF_MANY, OF_MANY, OF_MANY, OF_MANY, OF_MANY, OF_MANY, OF_MANY, \
                          OF_MANY, OF_MANY, OF_ONE)                                                   \
    (__VA_ARGS__)
#define ET_INTERNAL_SELECT_OK(_1, _2, _3, _4, _5, _6, _7, _8, _9, _10, which_, ...) \
    ET_INTERNAL_CHECK_OK_##which_
#define ET_INTERNAL_CHECK_OK_OF_ONE(error_)                  \
    do {                                                     \
        const auto et_error_ = (error_);                     \
        if (et_error_ != ::executorch::runtime::Error::Ok) { \
            return et_error_;                                \
        }                                                    \
    } while (0)
#define ET_INTERNAL_CHECK_OK_OF_MANY(error_, message_, ...)  \
    do {                                                     \
        const auto et_error_ = (error_);                     \
        if (et_error_ != ::executorch::runtime::Error::Ok) { \
            ET_LOG(Error, message_, ##__VA_ARGS__);          \
            return et_error_;                                \
        }                                                    \
    } while (0)
