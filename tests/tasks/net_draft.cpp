#include "tests/tasks/net_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>

namespace et::test {
namespace {

using backends::reference::ReferenceTensor;
using core::ScalarType;
using etrecord::Argument;

std::shared_ptr<const etrecord::Record> baseOf(const std::vector<NetDraft::Input>& inputs) {
    GraphBuilder builder;
    for (const auto& [name, sizes, dtype] : inputs) {
        builder.input(name, sizes);
        builder.tensor(name, sizes, static_cast<std::int8_t>(std::to_underlying(dtype)));
        std::int64_t stride = 1;
        for (auto& each : builder.graph().tensors.at(name).strides | std::views::reverse) {
            stride *= std::exchange(each.value, stride);
        }
    }
    return builder.record();
}

template <class T>
ReferenceTensor tensorOfNumbers(ScalarType dtype, const Sizes& sizes, const std::vector<T>& numbers) {
    return backends::xnnpack::tensorOf(dtype, sizes, std::as_bytes(std::span(numbers)));
}

std::size_t countOf(const Sizes& sizes) {
    return static_cast<std::size_t>(
        std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>()));
}

/// "aten.conv2d.default": "conv2d".
std::string shortName(const std::string& target) {
    const std::size_t first = target.find('.') + 1;
    return target.substr(first, target.find('.', first) - first);
}

std::string underscored(std::string text) {
    std::ranges::replace(text, '.', '_');
    std::ranges::transform(text, text.begin(), [](char each) {
        return each >= 'A' && each <= 'Z' ? static_cast<char>(each - 'A' + 'a') : each;
    });
    return text;
}

}  // namespace

NetDraft::NetDraft(const std::vector<Input>& ofInputs)
    : inputs(ofInputs),
      base(baseOf(ofInputs)),
      method(backends::lowering::EdgeMethod::open(*base, "forward").value()),
      draft(backends::xnnpack::ModelDraft::open(method).value()) {
}

NetDraft& NetDraft::at(std::string ofModule, int ofLine) {
    module = std::move(ofModule);
    line = ofLine;
    return *this;
}

NetDraft& NetDraft::from(std::string target) {
    const std::string name = shortName(target);
    const int before = uses[name]++;
    source = before == 0 ? name : fmt::format("{}_{}", name, before);
    sourceTarget = std::move(target);
    handle = draft.newHandle();
    return *this;
}

NetDraft& NetDraft::strictly() {
    strict = true;
    return *this;
}

etrecord::Node& NetDraft::begin(const std::string& op, std::vector<Argument> arguments) {
    std::vector<etrecord::NodeSource> history{{.name = source,
                                               .target = sourceTarget,
                                               .pass = "ExportedProgram.module()",
                                               .action = "create",
                                               .graphId = 1,
                                               .depth = 0}};
    if (strict) {
        history.push_back({.name = "y",
                           .target = fmt::format("<built-in function {}>", shortName(sourceTarget)),
                           .pass = "Interpreter_DynamoGraphTransformer",
                           .action = "create",
                           .graphId = 2,
                           .depth = 1});
    }
    draft.graph.nodes.push_back(
        {.name = {},
         .target = "executorch.exir.dialects.edge.ops." + op,
         .op = op,
         .inputs = std::move(arguments),
         .outputs = {},
         .stackTrace = fmt::format("File \"net.py\", line {}, in forward\n    x = self.layer(x)", line),
         .moduleStack = {{.path = "L__self__", .fqn = {}, .type = "net.Net"},
                         {.path = "L__self__" + module, .fqn = module, .type = "net.Layer"}},
         .debugHandles = {handle},
         .metadata = {{"from_node", etrecord::serializeHistory(history)}}});
    return draft.graph.nodes.back();
}

std::string NetDraft::add(const std::string& op, std::vector<Argument> arguments, const Sizes& sizes,
                          ScalarType dtype) {
    const std::string name = draft.addSizedValue(underscored(op), sizes, dtype);
    etrecord::Node& node = begin(op, std::move(arguments));
    node.name = name;
    node.outputs = {tensorArgument({}, name)};
    return name;
}

std::vector<std::string> NetDraft::addMany(const std::string& op, std::vector<Argument> arguments,
                                           const std::vector<Sizes>& sizes, ScalarType others) {
    etrecord::Node& node = begin(op, std::move(arguments));
    node.name = fmt::format("{}_{}", underscored(op), uses[op]++);
    std::vector<std::string> results;
    for (const Sizes& each : sizes) {
        results.push_back(draft.addSizedValue("getitem", each, results.empty() ? ScalarType::Float : others));
        node.outputs.push_back(tensorArgument({}, results.back()));
    }
    return results;
}

std::vector<std::string> NetDraft::addList(const std::string& op, std::vector<Argument> arguments,
                                           const std::vector<Sizes>& sizes) {
    std::vector<std::string> results = addMany(op, std::move(arguments), sizes);
    draft.graph.nodes.back().outputs = {tensorsArgument({}, results)};
    return results;
}

std::string NetDraft::parameter(std::string_view name, const Sizes& sizes, float deviation, float mean) {
    std::normal_distribution<float> normal(mean, deviation);
    std::vector<float> made(countOf(sizes));
    std::ranges::generate(made, [&] { return normal(random); });
    return parameter(name, sizes, made);
}

std::string NetDraft::parameter(std::string_view name, const Sizes& sizes, const std::vector<float>& made) {
    const std::string target = module.empty() ? std::string(name) : fmt::format("{}.{}", module, name);
    return draft.addTensor("parameter", "p_" + underscored(target), target,
                           tensorOfNumbers(ScalarType::Float, sizes, made));
}

std::string NetDraft::buffer(std::string_view name, const Sizes& sizes, const std::vector<std::int64_t>& made,
                             ScalarType dtype) {
    const std::string target = module.empty() ? std::string(name) : fmt::format("{}.{}", module, name);
    const auto tensor =
        dtype == ScalarType::Bool
            ? tensorOfNumbers(dtype, sizes, std::vector<std::uint8_t>(made.begin(), made.end()))
            : tensorOfNumbers(dtype, sizes, made);
    return draft.addTensor("buffer", "b_" + underscored(target), target, tensor);
}

std::string NetDraft::number(double value) {
    const std::string name = fmt::format("_lifted_tensor_constant{}", numbers++);
    return draft.addTensor("tensor_constant", name, name,
                           tensorOfNumbers(ScalarType::Float, {}, std::vector{static_cast<float>(value)}));
}

std::string NetDraft::number(std::int64_t value) {
    const std::string name = fmt::format("_lifted_tensor_constant{}", numbers++);
    const std::string whole = draft.addTensor("tensor_constant", name, name,
                                              tensorOfNumbers(ScalarType::Long, {}, std::vector{value}));
    return add("dim_order_ops._to_dim_order_copy.default",
               {tensorArgument("self", whole),
                {.name = "dtype",
                 .kind = "as_scalar_type",
                 .value = std::int64_t{std::to_underlying(ScalarType::Float)}},
                intsArgument("dim_order", {})},
               {});
}

Sizes NetDraft::sizesOf(const std::string& value) const {
    Sizes sizes;
    for (const etrecord::SymInt& size : draft.graph.tensors.at(value).sizes) {
        sizes.push_back(size.value);
    }
    return sizes;
}

std::shared_ptr<const etrecord::Record> NetDraft::record(const std::vector<std::string>& outputs) {
    for (const std::string& output : outputs) {
        draft.graph.outputs.push_back(tensorArgument({}, output));
        draft.graph.outputSpecs.push_back({.kind = "user_output", .value = output, .target = {}});
    }
    return draft.record(*base, "forward").value();
}

std::vector<tasks::CalibrationCase> NetDraft::cases(int calls, std::int64_t vocabulary) const {
    std::mt19937 numbersOf(7);
    std::normal_distribution<float> normal(0, 1);
    std::vector<tasks::CalibrationCase> made(static_cast<std::size_t>(calls));
    for (tasks::CalibrationCase& each : made) {
        for (const Input& input : inputs) {
            if (input.dtype == ScalarType::Float) {
                std::vector<float> floats(countOf(input.sizes));
                std::ranges::generate(floats, [&] { return normal(numbersOf); });
                each.emplace_back(tensorOfNumbers(input.dtype, input.sizes, floats));
            } else {
                std::vector<std::int64_t> tokens(countOf(input.sizes));
                std::ranges::generate(tokens,
                                      [&] { return static_cast<std::int64_t>(numbersOf()) % vocabulary; });
                each.emplace_back(tensorOfNumbers(input.dtype, input.sizes, tokens));
            }
        }
    }
    return made;
}

}  // namespace et::test
