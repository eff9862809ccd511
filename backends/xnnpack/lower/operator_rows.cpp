#include "backends/xnnpack/lower/operator_rows.h"

#include "backends/lowering/node_arguments.h"
#include "backends/lowering/tensor_specs.h"
#include "backends/reference/node_values.h"

#include <fmt/format.h>
#include <xnnpack.h>

#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

namespace et::backends::xnnpack {
namespace {

using etrecord::Argument;
using etrecord::TensorMeta;

const std::array channelsLast = std::to_array<std::uint8_t>({0, 2, 3, 1});

bool isComputed(std::int8_t scalarType, const OperatorRow& row) {
    return scalarType == std::to_underlying(core::ScalarType::Float) ||
           scalarType == std::to_underlying(core::ScalarType::Half) ||
           (row.brainFloats && scalarType == std::to_underlying(core::ScalarType::BFloat16));
}

/// Rule for any tensor that a delegate reads or writes.
std::string tensorRule(const NodeQuery& question, std::string_view value, const OperatorRow& row,
                       bool scalars) {
    const TensorMeta* meta = question.method.meta(value);
    if (meta == nullptr) {
        return fmt::format("\"{}\" is not a tensor", value);
    }
    if (!isComputed(meta->scalarType, row)) {
        return fmt::format("XNNPACK supports only float32{} float16{}, but \"{}\" is {}",
                           row.brainFloats ? "," : " and", row.brainFloats ? " and bfloat16" : "", value,
                           core::scalarTypeName(meta->scalarType));
    }
    const bool constant = question.constants.has(value);
    if (meta->sizes.size() > XNN_MAX_TENSOR_DIMS || (meta->sizes.empty() && !constant && !scalars)) {
        return fmt::format("XNNPACK supports tensors of 1 to {} dimensions, but \"{}\" has {}",
                           XNN_MAX_TENSOR_DIMS, value, meta->sizes.size());
    }
    const auto spec = lowering::specOf(question.method.graph(), value);
    if (!spec || spec->dynamism == program::ShapeDynamism::Unbounded) {
        return fmt::format("the sizes of \"{}\" have no upper bound", value);
    }
    constexpr std::int64_t largest = std::numeric_limits<std::int32_t>::max();
    if (std::ranges::any_of(spec->sizes, [](std::int64_t size) { return size < 1 || size > largest; })) {
        return fmt::format("\"{}\" has no elements, or too many", value);
    }
    if (!constant && !lowering::isRowMajor(spec->dimOrder) &&
        !std::ranges::equal(spec->dimOrder, channelsLast)) {
        return fmt::format("\"{}\" is neither contiguous nor channels-last", value);
    }
    return {};
}

/// Requires the same dtype for operands and result.
std::string tensorsRule(const NodeQuery& question, const OperatorRow& row) {
    const std::string_view result = lowering::firstResult(question.node);
    std::string rule = tensorRule(question, result, row, false);
    for (const Argument& argument : question.node.inputs) {
        if (!argument.kind.contains("tensor")) {
            continue;
        }
        reference::forNames(argument, [&](const std::string& name) {
            if (!rule.empty() || name.empty()) {
                return;
            }
            rule = tensorRule(question, name, row, row.scalars);
            if (rule.empty() &&
                question.method.meta(name)->scalarType != question.method.meta(result)->scalarType) {
                rule = fmt::format("its tensors have different dtypes: \"{}\" is {}", name,
                                   core::scalarTypeName(question.method.meta(name)->scalarType));
            }
        });
    }
    return rule;
}

/// Whether all results are unread: a delegate must not contain a value without readers.
bool isUnread(const NodeQuery& question) {
    bool read = false;
    for (const Argument& output : question.node.outputs) {
        reference::forNames(output, [&](const std::string& name) {
            read = read || question.method.isOutput(name) || !question.method.users(name).empty();
        });
    }
    return !read;
}

}  // namespace

std::string_view NodeQuery::operand(std::string_view argument) const {
    return lowering::valueName(lowering::findArgument(node, argument));
}

std::size_t NodeQuery::rankOf(std::string_view value) const {
    const TensorMeta* meta = method.meta(value);
    return meta == nullptr ? 0 : meta->sizes.size();
}

std::string_view operandOf(const etrecord::Node& node) {
    const std::string_view self = lowering::valueName(lowering::findArgument(node, "self"));
    return self.empty() ? lowering::valueName(lowering::findArgument(node, "input")) : self;
}

const OperatorRow* operatorRow(std::string_view op) {
    static const auto table = [] {
        std::unordered_map<std::string_view, const OperatorRow*> made;
        for (const auto rows : {elementwiseRows(), productRows(), convolutionRows(), imageRows(),
                                arrangementRows(), quantizerRows()}) {
            for (const OperatorRow& row : rows) {
                made.emplace(row.op, &row);
            }
        }
        return made;
    }();
    const auto found = table.find(op);
    return found == table.end() ? nullptr : found->second;
}

std::string whyNot(const NodeQuery& question) {
    if (isUnread(question)) {
        return "nothing reads its result";
    }
    const OperatorRow* row = operatorRow(question.node.op);
    if (row == nullptr) {
        return "XNNPACK has no such operator";
    }
    std::string rule = row->floats ? tensorsRule(question, *row) : std::string();
    if (rule.empty() && row->refuse != nullptr) {
        rule = row->refuse(question);
    }
    return rule;
}

}  // namespace et::backends::xnnpack
