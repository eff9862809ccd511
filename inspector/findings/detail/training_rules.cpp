#include "inspector/findings/detail/rules.h"
#include "runtime/program/training_method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace et::inspector::findings::detail {
namespace {

/// The backward operators in ExecuTorch's kernels: kernels/portable/functions.yaml, up to release 1.6.
constexpr std::array<std::string_view, 2> portableBackward{"aten::convolution_backward",
                                                           "aten::max_pool2d_with_indices_backward"};

bool isMissing(const program::Operator& op) {
    return op.name.starts_with("aten::") && op.name.contains("_backward") &&
           !std::ranges::contains(portableBackward, op.name);
}

}  // namespace

void findInvalidTraining(const RuleInput& input, Findings& out) {
    if (input.session.program == nullptr) {
        return;
    }
    for (const core::Error& problem : program::trainingMethods(*input.session.program).problems) {
        Finding finding;
        finding.share = 1;
        finding.title =
            fmt::format("gradients cannot be told apart: `{}`: {}", problem.where.field, problem.message);
        finding.explanation =
            "ExecuTorch's TrainingModule reads these constant methods to find the gradients and parameters "
            "among the outputs, and would use the wrong ones. Export the program again.";
        out.push_back(std::move(finding));
    }
}

void findMissingBackward(const RuleInput& input, Findings& out) {
    for (const MethodInput& method : input.methods) {
        Finding finding;
        finding.share = 1;
        finding.method = method.method->name;
        std::set<std::string> names;
        const auto instructions = method.instructions();
        for (std::size_t i = 0; i < instructions.size(); ++i) {
            const auto* const call = std::get_if<program::KernelCall>(&instructions[i]);
            if (call != nullptr && isMissing(method.method->op(call->op))) {
                names.insert(core::printable(method.method->op(call->op).fullName()));
                finding.instructions.emplace_back(static_cast<std::int32_t>(i));
            }
        }
        if (names.empty()) {
            continue;
        }
        finding.title = fmt::format("`{}` needs backward operators that ExecuTorch does not have: {}",
                                    core::printable(method.method->name), fmt::join(names, ", "));
        finding.explanation =
            "Of the backward operators, ExecuTorch's kernels contain only those of convolution and max "
            "pooling, so loading the method fails with OperatorMissing (0x14). Decompose the others at "
            "export, "
            "or add kernels to the application.";
        out.push_back(std::move(finding));
    }
}

}  // namespace et::inspector::findings::detail
