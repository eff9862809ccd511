#include "runtime/kernels/boxing.h"

#include <fmt/format.h>

namespace et::kernels::detail {

std::unexpected<core::Error> wrongArgumentCount(std::size_t expected, std::size_t given) {
    return core::fail(core::ErrorCode::InvalidArgument,
                      fmt::format("expected {} arguments, got {}", expected, given));
}

core::Result<> checkUnboxed(Arguments arguments, std::span<const bool> fits,
                            std::span<const std::string_view> expected, std::uint64_t resized) {
    for (std::size_t i = 0; i < fits.size(); ++i) {
        if (!fits[i]) {
            return core::fail(
                core::ErrorCode::InvalidArgument,
                fmt::format("argument {}: expected {}, got {}", i, expected[i], arguments[i]->kindName()));
        }
    }
    for (std::size_t i = 0; i < fits.size(); ++i) {
        const auto* result = (resized >> i & 1U) == 0 ? nullptr : arguments[i]->as<Tensor>();
        if (result != nullptr && result->resizable() != Tensor::Shape::Fixed &&
            std::ranges::contains(arguments.first(i), arguments[i])) {
            return core::fail(core::ErrorCode::InvalidArgument, "a result of dynamic size is also an input");
        }
    }
    return {};
}

}  // namespace et::kernels::detail
