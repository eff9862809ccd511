#include "inspector/generate/weight_bytes.h"

#include "inspector/memory/memory_timeline.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace et::inspector {
namespace {

/// Operators that read a few rows of their first argument.
constexpr std::array<std::string_view, 8> rowTakers{"aten::embedding",
                                                    "aten::index",
                                                    "aten::index_select",
                                                    "aten::select_copy",
                                                    "aten::slice_copy",
                                                    "aten::select_scatter",
                                                    "quantized_decomposed::embedding",
                                                    "aten::gather"};

bool takesRows(std::string_view name) {
    return std::ranges::any_of(rowTakers, [&](std::string_view each) { return name.starts_with(each); });
}

std::uint64_t computeBytesRead(const program::TensorInfo& tensor, bool rowsOnly) {
    const auto bytes = static_cast<std::uint64_t>(tensor.byteSize.value_or(0));
    const bool hasRows = tensor.sizes.size() > 1 && tensor.sizes.front() > 0;
    return rowsOnly && hasRows ? bytes / static_cast<std::uint64_t>(tensor.sizes.front()) : bytes;
}

/// Size of the constants used by the method's own operators.
std::uint64_t kernelBytes(const program::Method& method) {
    std::uint64_t sum = 0;
    std::set<std::uint32_t> counted;
    for (const program::Chain& chain : method.chains) {
        for (const program::Instruction& instruction : chain.instructions) {
            const auto* call = std::get_if<program::KernelCall>(&instruction);
            for (std::size_t i = 0; call != nullptr && i < call->args.size(); ++i) {
                const auto* tensor = method.value(call->args[i]).as<program::TensorInfo>();
                const bool isConstant = tensor != nullptr && !tensor->allocation &&
                                        tensor->initialData != program::InitialData::None;
                if (isConstant && counted.insert(call->args[i].value).second) {
                    sum += computeBytesRead(*tensor, takesRows(method.op(call->op).name));
                }
            }
        }
    }
    return sum;
}

}  // namespace

std::uint64_t weightBytesOfCall(const program::Method& method, const program::Program& program) {
    std::uint64_t sum = kernelBytes(method);
    if (const auto timeline = MemoryTimeline::build(program, method)) {
        sum += timeline->delegateBytes();
    }
    return sum;
}

}  // namespace et::inspector
