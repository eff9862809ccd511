#include "inspector/fit/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace et::inspector {
namespace {

using enum core::Release;

constexpr ErrorCodeInfo codes[] = {
    {0x00, "Ok", "success", V1_0},
    {0x01, "Internal", "a failure inside the runtime, a kernel or a backend", V1_0},
    {0x02, "InvalidState", "the call is not valid now, for example before loading", V1_0},
    {0x03, "EndOfMethod", "all instructions were executed", V1_0},
    {0x04, "AlreadyLoaded", "the resource was loaded before", V1_2},
    {0x10, "NotSupported", "the operation is not supported here", V1_0},
    {0x11, "NotImplemented", "the operation is not implemented", V1_0},
    {0x12, "InvalidArgument", "an argument of the caller is invalid", V1_0},
    {0x13, "InvalidType", "an object has the wrong type", V1_0},
    {0x14, "OperatorMissing", "the runtime contains no kernel of an operator", V1_0},
    {0x15, "RegistrationExceedingMaxKernels", "too many kernels were registered", V1_0},
    {0x16, "RegistrationAlreadyRegistered", "the kernel was registered twice", V1_0},
    {0x20, "NotFound", "a resource, such as a backend or external data, does not exist", V1_0},
    {0x21, "MemoryAllocationFailed", "memory could not be allocated", V1_0},
    {0x22, "AccessFailed", "a file or another resource could not be read", V1_0},
    {0x23, "InvalidProgram", "the program is damaged or not supported", V1_0},
    {0x24, "InvalidExternalData", "external data is damaged or does not match", V1_0},
    {0x25, "OutOfResources", "a limit was reached", V1_0},
    {0x30, "DelegateInvalidCompatibility", "the backend does not accept this version of a payload", V1_0},
    {0x31, "DelegateMemoryAllocationFailed", "the backend could not allocate memory", V1_0},
    {0x32, "DelegateInvalidHandle", "the backend was called without a loaded delegate", V1_0},
};

}  // namespace

std::span<const ErrorCodeInfo> errorCodes() {
    return codes;
}

std::string errorCodeText(std::uint32_t code) {
    const auto* const found = std::ranges::find(codes, code, &ErrorCodeInfo::code);
    return found == std::end(codes) ? fmt::format("{:#04x}", code)
                                    : fmt::format("{} ({:#04x})", found->name, code);
}

}  // namespace et::inspector
