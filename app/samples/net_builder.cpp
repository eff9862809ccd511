#include "app/samples/net_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <iterator>
#include <span>
#include <utility>

namespace et::samples {
namespace {

/// Converts a dotted name to a value name: "aten.mean.dim" -> "aten_mean_dim".
std::string underscored(std::string_view dotted) {
    std::string name(dotted);
    std::ranges::replace(name, '.', '_');
    return name;
}

/// Node names in the Edge dialect are lower case: "aten.mul.Tensor" -> "aten_mul_tensor".
std::string nodeName(std::string_view op) {
    std::string name = underscored(op);
    std::ranges::transform(name, name.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    return name;
}

/// Returns the operator's base name: "aten.conv2d.default" -> "conv2d".
std::string_view shortName(std::string_view op) {
    op.remove_prefix(op.find('.') + 1);
    return op.substr(0, op.find('.'));
}

}  // namespace

std::vector<TensorId> Net::graphOutputs() const {
    std::vector<TensorId> all = outputs;
    std::ranges::transform(gradients, std::back_inserter(all), &NetGradient::gradient);
    return all;
}

std::vector<TensorId> Net::programOutputs() const {
    std::vector<TensorId> all = graphOutputs();
    std::ranges::transform(gradients, std::back_inserter(all), &NetGradient::parameter);
    return all;
}

bool Net::isTrained(TensorId parameter) const {
    return std::ranges::contains(gradients, parameter, &NetGradient::parameter);
}

NetBuilder::NetBuilder(std::string_view fileName, std::string_view source, std::string_view rootType,
                       std::uint64_t seed)
    : file(fileName), python(source), random(seed) {
    scopes.push_back(
        {.frame = {.path = "L__self__", .fqn = {}, .type = std::string(rootType)}, .statement = {}});
}

TensorId NetBuilder::input(std::string_view name, std::vector<std::int64_t> sizes) {
    net.inputs.push_back(addTensor(std::string(name), std::move(sizes)));
    return net.inputs.back();
}

TensorId NetBuilder::addTensor(std::string name, std::vector<std::int64_t> sizes, core::ScalarType dtype) {
    net.tensors.push_back({.name = std::move(name), .dtype = dtype, .sizes = std::move(sizes)});
    return TensorId(static_cast<std::uint32_t>(net.tensors.size() - 1));
}

TensorId NetBuilder::attribute(std::string_view name, std::vector<std::int64_t> sizes, bool isParameter,
                               core::ScalarType dtype) {
    const std::string& module = scopes.back().frame.fqn;
    const std::string target = module.empty() ? std::string(name) : fmt::format("{}.{}", module, name);
    const std::string prefix = isParameter ? "p_" : "b_";
    const TensorId id = addTensor(prefix + underscored(target), std::move(sizes), dtype);
    const auto bytes = core::tensorBytes(std::to_underlying(dtype), net.tensor(id).sizes).value_or(0);
    net.attributes.push_back({.tensor = id,
                              .target = target,
                              .parameter = isParameter,
                              .data = std::vector<std::byte>(static_cast<std::size_t>(bytes))});
    return id;
}

/// Fills the attribute added last with values.
void NetBuilder::fillLast(float low, float high) {
    Attribute& last = net.attributes.back();
    for (std::size_t at = 0; at < last.data.size(); at += sizeof(float)) {
        const float number = random.uniform(low, high);
        std::memcpy(last.data.data() + at, &number, sizeof number);
    }
}

TensorId NetBuilder::parameter(std::string_view name, std::vector<std::int64_t> sizes, float low,
                               float high) {
    const TensorId id = attribute(name, std::move(sizes), true, core::ScalarType::Float);
    fillLast(low, high);
    return id;
}

TensorId NetBuilder::buffer(std::string_view name, std::vector<std::int64_t> sizes, float low, float high) {
    const TensorId id = attribute(name, std::move(sizes), false, core::ScalarType::Float);
    fillLast(low, high);
    return id;
}

void NetBuilder::counter(std::string_view name) {
    attribute(name, {}, false, core::ScalarType::Long);
}

void NetBuilder::enter(std::string_view attribute, std::string_view type) {
    const std::string& outer = scopes.back().frame.fqn;
    const std::string fqn = outer.empty() ? std::string(attribute) : fmt::format("{}.{}", outer, attribute);
    scopes.push_back(
        {.frame = {.path = "L__self__" + fqn, .fqn = fqn, .type = std::string(type)}, .statement = {}});
}

void NetBuilder::leave() {
    assert(scopes.size() > 1);
    scopes.pop_back();
}

void NetBuilder::statement(std::string_view line) {
    assert(python.contains(line));
    scopes.back().statement = line;
}

TensorId NetBuilder::add(const OperatorNames& names, OperationArguments arguments,
                         std::vector<std::int64_t> sizes) {
    Operation& operation = begin(names, std::move(arguments));
    operation.results.push_back(addTensor(operation.node, std::move(sizes)));
    return operation.results.front();
}

TensorId NetBuilder::addMany(const OperatorNames& names, OperationArguments arguments,
                             const std::vector<std::vector<std::int64_t>>& sizes) {
    Operation& operation = begin(names, std::move(arguments));
    operation.results.push_back(addTensor(numbered("getitem"), sizes.front()));
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        operation.results.push_back(addTensor(fmt::format("{}_unused_{}", operation.node, i), sizes[i]));
    }
    return operation.results.front();
}

Operation& NetBuilder::begin(const OperatorNames& names, OperationArguments arguments) {
    Operation operation{.node = numbered(nodeName(names.op)),
                        .op = names.op,
                        .kernel = names.kernel,
                        .arguments = std::move(arguments),
                        .results = {},
                        .source = {},
                        .sourceOp = names.sourceOp,
                        .modules = {},
                        .stackTrace = stackTrace()};
    const bool shared = std::exchange(keepSource, false) && !net.operations.empty();
    operation.source =
        shared ? net.operations.back().source : numbered(std::string(shortName(names.sourceOp)));
    const std::int64_t last = net.operations.empty() ? 0 : net.operations.back().debugHandle;
    operation.debugHandle = shared ? last : last + 1;
    for (const Scope& scope : scopes) {
        operation.modules.push_back(scope.frame);
    }
    net.operations.push_back(std::move(operation));
    return net.operations.back();
}

/// Numbers repeated names: the first has no number, the second has 1.
std::string NetBuilder::numbered(const std::string& name) {
    const int before = uses[name]++;
    return before == 0 ? name : fmt::format("{}_{}", name, before);
}

std::int64_t NetBuilder::lineNumber(std::string_view line) const {
    const std::string_view before = python.substr(0, python.find(line));
    return std::ranges::count(before, '\n') + 1;
}

/// Formats the stack trace like Python, outermost call first.
std::string NetBuilder::stackTrace() const {
    std::string text;
    for (const Scope& scope : scopes) {
        if (!scope.statement.empty()) {
            text += fmt::format("{}File \"{}\", line {}, in forward\n    {}", text.empty() ? "" : "\n  ",
                                file, lineNumber(scope.statement), scope.statement);
        }
    }
    return text;
}

Net NetBuilder::finish() {
    // Exporters list all parameters before all buffers.
    std::ranges::stable_partition(net.attributes, &Attribute::parameter);
    return std::move(net);
}

}  // namespace et::samples
