#include "app/tasks/lab/instruction_nodes.h"

#include "backends/lowering/kernel_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>
#include <utility>

namespace et::tasks {

using etrecord::Argument;
using etrecord::Node;
using etrecord::SymInt;
using etrecord::ValueRef;
using program::ValueId;

namespace {

/// A view created by the runtime from the exporter's view_copy.
constexpr std::string_view viewKernel = "executorch_prim::et_view.default";
constexpr std::string_view viewCopyKernel = "aten::view_copy.out";

Argument referring(std::string_view kind, ValueId id) {
    return {.name = {}, .kind = std::string(kind), .value = ValueRef{.name = graphName(id)}};
}

/// Returns the positions of the out arguments in the schema; for an operator without any, its last argument.
std::vector<std::size_t> outPositions(const program::KernelCall& call, const kernels::Kernel& kernel) {
    std::vector<std::size_t> positions;
    const std::size_t count = std::min(call.args.size(), kernel.arguments);
    constexpr std::size_t bits = 64;
    for (std::size_t i = 0; i < std::min(count, bits); ++i) {
        if ((kernel.written >> i & 1U) != 0) {
            positions.push_back(i);
        }
    }
    if (positions.empty() && !call.args.empty()) {
        positions.push_back(call.args.size() - 1);
    }
    return positions;
}

}  // namespace

std::string graphName(ValueId id) {
    return fmt::format("v{}", id.value);
}

std::optional<ValueId> valueOfGraph(std::string_view name) {
    std::uint32_t number = 0;
    if (!name.starts_with('v')) {
        return std::nullopt;
    }
    const auto [end, error] = std::from_chars(name.data() + 1, name.data() + name.size(), number);
    return error == std::errc() && end == name.data() + name.size() ? std::optional(ValueId(number))
                                                                    : std::nullopt;
}

std::string instructionNodeName(std::size_t instruction) {
    return fmt::format("instruction_{}", instruction);
}

void describeTensor(const program::TensorInfo& tensor, ValueId id, etrecord::ExportedGraph& graph) {
    const std::string name = graphName(id);
    etrecord::TensorMeta meta;
    meta.scalarType = tensor.scalarType;
    for (std::size_t i = 0; i < tensor.sizes.size(); ++i) {
        SymInt size{.value = tensor.sizes[i], .expression = {}};
        const bool isBounded = tensor.dynamism == program::ShapeDynamism::Bounded;
        if (tensor.dynamism != program::ShapeDynamism::Static && tensor.sizes[i] != 1) {
            size.expression = fmt::format("{}_{}", name, i);
            graph.rangeConstraints[size.expression] = {
                .minimum = 0, .maximum = isBounded ? std::optional(tensor.sizes[i]) : std::nullopt};
        }
        meta.sizes.push_back(std::move(size));
    }
    meta.strides.resize(tensor.sizes.size());
    std::int64_t stride = 1;
    for (std::size_t i = tensor.dimOrder.size(); i-- > 0;) {
        meta.strides[tensor.dimOrder[i]].value = stride;
        stride *= std::max<std::int64_t>(tensor.sizes[tensor.dimOrder[i]], 1);
    }
    graph.tensors[name] = std::move(meta);
}

Argument InstructionNodes::integers(const program::IntList& list) const {
    std::vector<SymInt> items;
    bool known = true;
    for (const ValueId id : list.items) {
        const auto* number = method.value(id).as<std::int64_t>();
        const bool isPlain = number != nullptr && !isComputed(id);
        known = known && isPlain;
        items.push_back({.value = number == nullptr ? 0 : *number,
                         .expression = isPlain ? std::string() : graphName(id)});
    }
    return {.name = {}, .kind = known ? "as_ints" : "as_sym_ints", .value = std::move(items)};
}

Argument InstructionNodes::argument(ValueId id) const {
    struct Reading {
        const InstructionNodes& self;
        ValueId id;

        Argument operator()(std::monostate /*none*/) const { return {.name = {}, .kind = "as_none"}; }
        Argument operator()(std::int64_t number) const {
            return self.isComputed(id) ? referring("as_sym_int", id)
                                       : Argument{.name = {}, .kind = "as_int", .value = number};
        }
        Argument operator()(bool truth) const {
            return self.isComputed(id) ? referring("as_sym_bool", id)
                                       : Argument{.name = {}, .kind = "as_bool", .value = truth};
        }
        Argument operator()(double number) const {
            return self.isComputed(id) ? referring("as_sym_float", id)
                                       : Argument{.name = {}, .kind = "as_float", .value = number};
        }
        Argument operator()(const program::TensorInfo& /*tensor*/) const {
            return referring("as_tensor", id);
        }
        Argument operator()(std::string_view text) const {
            return {.name = {}, .kind = "as_string", .value = std::string(text)};
        }
        Argument operator()(const program::IntList& list) const { return self.integers(list); }
        Argument operator()(const program::DoubleList& list) const {
            return {.name = {}, .kind = "as_floats", .value = list.items};
        }
        Argument operator()(const program::BoolList& list) const {
            return {.name = {}, .kind = "as_bools", .value = list.items};
        }
        Argument operator()(const program::TensorList& list) const {
            std::vector<std::optional<ValueRef>> items;
            for (const ValueId item : list.items) {
                items.emplace_back(ValueRef{.name = graphName(item)});
            }
            return {.name = {}, .kind = "as_tensors", .value = std::move(items)};
        }
        Argument operator()(const program::OptionalTensorList& list) const {
            std::vector<std::optional<ValueRef>> items;
            for (const auto& item : list.items) {
                items.push_back(item ? std::optional(ValueRef{.name = graphName(*item)}) : std::nullopt);
            }
            return {.name = {}, .kind = "as_optional_tensors", .value = std::move(items)};
        }
    };
    return method.value(id).visit(Reading{.self = *this, .id = id});
}

std::optional<Node> InstructionNodes::make(const program::KernelCall& call) const {
    const std::string kernel = method.op(call.op).fullName();
    const auto* const row = backends::lowering::operatorOf(kernel == viewKernel ? viewCopyKernel : kernel);
    const auto* const entry = kernels::versionFor(kernels.find(kernel), call.args.size());
    if (row == nullptr || entry == nullptr) {
        return std::nullopt;
    }
    const auto outs = outPositions(call, entry->kernel);
    const auto signature = backends::reference::signatureOf(*row);
    const std::size_t inputs = signature.arguments.size();
    if (outs.empty() || outs.front() != inputs || outs.back() >= call.args.size()) {
        return std::nullopt;
    }
    Node node;
    node.op = row->name;
    node.target = row->name;
    for (std::size_t i = 0; i < inputs; ++i) {
        Argument made = argument(call.args[i]);
        made.name = signature.arguments[i].name;
        node.inputs.push_back(std::move(made));
    }
    for (const std::size_t out : outs) {
        const ValueId id = call.args[out];
        const bool isNumber =
            !method.value(id).is<program::TensorInfo>() && !method.value(id).is<program::TensorList>();
        node.outputs.push_back(isNumber ? referring("as_sym_int", id) : argument(id));
    }
    return node;
}

}  // namespace et::tasks
