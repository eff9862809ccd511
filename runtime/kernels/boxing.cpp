#include "runtime/kernels/boxing.h"

#include <fmt/format.h>

namespace et::kernels::detail {

std::unexpected<core::Error> wrongArgument(std::size_t index, std::string_view expected,
                                           std::string_view given) {
    return core::fail(core::ErrorCode::InvalidArgument,
                      fmt::format("argument {}: expected {}, got {}", index, expected, given));
}

std::unexpected<core::Error> wrongArgumentCount(std::size_t expected, std::size_t given) {
    return core::fail(core::ErrorCode::InvalidArgument,
                      fmt::format("expected {} arguments, got {}", expected, given));
}

std::unexpected<core::Error> resultIsInput() {
    return core::fail(core::ErrorCode::InvalidArgument, "a result of changing size is an input, too");
}

}  // namespace et::kernels::detail
