// Programs whose results in ExecuTorch's own runtime differ from those of PyTorch and et-inspect.
#include "inspector/findings/detail/rules.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>
#include <variant>
#include <vector>

namespace et::inspector::findings::detail {
namespace {

using program::TensorInfo;

bool isSignedInteger(std::int8_t type) {
    switch (static_cast<core::ScalarType>(type)) {
        case core::ScalarType::Char:
        case core::ScalarType::Short:
        case core::ScalarType::Int:
        case core::ScalarType::Long:
            return true;
        default:
            return false;
    }
}

/// The order of the dimensions that have more than one element: the others have no place in memory.
std::vector<std::uint8_t> effectiveOrder(std::span<const std::uint8_t> order,
                                         std::span<const std::int64_t> sizes) {
    std::vector<std::uint8_t> out;
    std::ranges::copy_if(order, std::back_inserter(out),
                         [&](std::uint8_t dim) { return dim < sizes.size() && sizes[dim] > 1; });
    return out;
}

/// Whether the case has a tensor in another dim order than the method plans for that input.
bool isReordered(const program::Method& method, const bundled_program::TestCase& testCase) {
    for (std::size_t i = 0; i < std::min(method.inputs.size(), testCase.inputs.size()); ++i) {
        const auto* const given = std::get_if<bundled_program::BundledTensor>(&testCase.inputs[i]);
        const auto* const planned = method.value(method.inputs[i]).as<TensorInfo>();
        if (given != nullptr && planned != nullptr &&
            effectiveOrder(given->dimOrder, given->sizes) !=
                effectiveOrder(planned->dimOrder, given->sizes)) {
            return true;
        }
    }
    return false;
}

Finding differing(const program::Method& method) {
    Finding finding;
    finding.share = 1;
    finding.method = method.name;
    return finding;
}

}  // namespace

void findIntegerRemainders(const RuleInput& input, Findings& out) {
    for (const MethodInput& method : input.methods) {
        Finding finding = differing(*method.method);
        const auto instructions = method.instructions();
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            const auto* const call = std::get_if<program::KernelCall>(&instructions[i]);
            if (call == nullptr || call->args.empty() ||
                method.method->op(call->op).name != "aten::remainder") {
                continue;
            }
            const auto* const result = method.method->value(call->args.back()).as<TensorInfo>();
            if (result != nullptr && isSignedInteger(result->scalarType)) {
                finding.instructions.emplace_back(static_cast<std::int32_t>(i));
            }
        }
        if (finding.instructions.empty()) {
            continue;
        }
        finding.title = fmt::format("`remainder` of integers in `{}` has another sign in ExecuTorch",
                                    core::printable(method.method->name));
        finding.explanation =
            "For operands of different signs, ExecuTorch's kernel returns the remainder of C, with the sign "
            "of the dividend; PyTorch and et-inspect return the sign of the divisor. Results on a device "
            "differ. Export with non-negative operands, or compute `((a % b) + b) % b`.";
        out.push_back(std::move(finding));
    }
}

void findReorderedInputs(const RuleInput& input, Findings& out) {
    const auto& bundle = input.session.bundle;
    for (const MethodInput& method : input.methods) {
        const auto* const suite = bundle == nullptr ? nullptr : bundle->findSuite(method.method->name);
        if (suite == nullptr) {
            continue;
        }
        const auto count = std::ranges::count_if(
            suite->cases, [&](const auto& each) { return isReordered(*method.method, each); });
        if (count == 0) {
            continue;
        }
        Finding finding = differing(*method.method);
        finding.title =
            fmt::format("{} of {} cases of `{}` have inputs in another dim order than the program", count,
                        suite->cases.size(), core::printable(method.method->name));
        finding.explanation =
            "ExecuTorch's runner copies the bytes of a bundled input unchanged, so the model on a device "
            "gets elements in the wrong places; et-inspect converts them. 'et-inspect bundle MODEL "
            "--cases-from FILE' stores them in the order that the program expects.";
        out.push_back(std::move(finding));
    }
}

}  // namespace et::inspector::findings::detail
