#include "runtime/kernels/dense/xnn_operator.h"

#include <fmt/format.h>

#include <algorithm>

namespace et::kernels::dense {

core::Result<> initializeXnnpack() {
    static const xnn_status status = xnn_initialize(nullptr);
    return checkXnnpack(status, "xnn_initialize");
}

core::Result<> checkXnnpack(xnn_status status, std::string_view call) {
    if (status == xnn_status_success) {
        return {};
    }
    const auto code =
        status == xnn_status_out_of_memory ? core::ErrorCode::Limit : core::ErrorCode::Unsupported;
    return core::fail(code, fmt::format("{} failed with status {}", call, static_cast<int>(status)));
}

core::Result<const float*> readableFloats(KernelContext& context, const float* data, std::size_t elements) {
    // The page size is 4096 bytes or a multiple.
    constexpr std::uintptr_t page = 4096;
    const std::uintptr_t last = reinterpret_cast<std::uintptr_t>(data) + elements * sizeof(float) - 1;
    if (last / page == (last + XNN_EXTRA_BYTES) / page) {
        return data;
    }
    ET_ASSIGN(const auto copy, context.scratch<float>(elements + XNN_EXTRA_BYTES));
    std::copy_n(data, elements, copy.data());
    return copy.data();
}

}  // namespace et::kernels::dense
