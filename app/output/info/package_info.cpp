#include "app/output/cells.h"
#include "app/output/info/artifact_info.h"
#include "runtime/core/scalar_type.h"
#include "runtime/native/model_graph.h"
#include "runtime/native/quantized.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace et::output {
namespace {

/// Name, type and range of sizes of an input or output.
Dict packageTensorInfo(const std::string& name, const native::TensorMeta* meta) {
    return {{"name", name}, {"type", meta == nullptr ? std::string("number") : native::typeText(*meta)}};
}

List packageOutputInfo(const native::Method& method) {
    List list;
    for (const native::OutputSpec& spec : method.outputSpecs) {
        Dict info = packageTensorInfo(spec.name, method.tensor(spec.name));
        using Kind = native::OutputSpec::Kind;
        info.emplace_back("writes", spec.kind == Kind::UserOutput       ? Cell()
                                    : spec.kind == Kind::BufferMutation ? Cell("buffer " + spec.target)
                                                                        : Cell("input " + spec.target));
        list.emplace_back(std::move(info));
    }
    return list;
}

/// The first values of a dense tensor as text: "0, 0, 1.5, …".
std::string firstValuesText(const native::TensorMeta& meta, core::Bytes data) {
    constexpr std::size_t shown = 4;
    const auto numbers = native::firstNumbers(meta.scalarType, data, shown + 1);
    std::string text;
    for (std::size_t i = 0; i < std::min(numbers.size(), shown); ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : ", ", numbers[i]);
    }
    return numbers.size() > shown ? text + ", …" : text;
}

/// State of a method: buffers with a stored initial value, and those that are zero at load.
List packageStateInfo(const native::Package& package, const native::Method& method) {
    List list;
    for (const native::Constant& constant : method.constants) {
        if (constant.isMutable) {
            const auto stored = package.find(constant.key);
            list.emplace_back(Dict{{"name", constant.key},
                                   {"type", native::typeText(constant.meta)},
                                   {"bytes", std::uint64_t{stored ? stored->data.size() : 0}},
                                   {"initial", stored ? firstValuesText(constant.meta, stored->data) : ""}});
        }
    }
    for (const native::MutableBuffer& buffer : method.mutableBuffers) {
        const native::TensorMeta* const meta = method.tensor(buffer.name);
        const auto bytes = meta == nullptr ? std::nullopt : native::storedBytes(*meta).value_or(std::nullopt);
        list.emplace_back(Dict{{"name", buffer.key},
                               {"type", meta == nullptr ? std::string() : native::typeText(*meta)},
                               {"bytes", optionalCell(bytes)},
                               {"initial", std::string("zero")}});
    }
    return list;
}

List packageQuantizedInfo(const native::Package& package, const native::Method& method) {
    List list;
    for (const native::Constant& constant : method.constants) {
        if (!constant.meta.isQuantized()) {
            continue;
        }
        const auto stored = package.find(constant.key);
        list.emplace_back(Dict{
            {"name", constant.key},
            {"sizes", native::fixedSizes(constant.meta).value_or(std::vector<std::int64_t>())},
            {"quantization", native::quantizationText(constant.meta.quantization)},
            {"bytes", std::uint64_t{stored ? stored->data.size() : 0}},
            {"values",
             std::string(native::canDequantize(constant.meta.quantization) ? "known" : "unknown codec")}});
    }
    return list;
}

/// Calls and subgraphs, including those inside subgraphs.
void countPackageCalls(const native::Graph& graph, Tally& operators, std::uint64_t& subgraphs) {
    for (const native::Node& node : graph.nodes) {
        if (node.kind == native::Node::Kind::Call) {
            operators.add(core::printable(native::operatorName(node.target)));
        }
        for (const native::Argument& argument : node.inputs) {
            if (const auto* inner = std::get_if<native::Subgraph>(&argument.value)) {
                ++subgraphs;
                countPackageCalls(*inner->graph, operators, subgraphs);
            }
        }
    }
}

Dict packageMethodInfo(const native::Package& package, const native::Method& method) {
    Tally operators;
    std::uint64_t subgraphs = 0;
    countPackageCalls(method.graph, operators, subgraphs);
    std::uint64_t bytes = 0;
    for (const native::Constant& constant : method.constants) {
        const auto stored = package.find(constant.key);
        bytes += stored ? stored->data.size() : 0;
    }
    List inputs;
    for (const std::string& input : method.graph.inputs) {
        inputs.emplace_back(packageTensorInfo(input, method.tensor(input)));
    }
    return {{"name", method.name},
            {"nodes", std::uint64_t{method.graph.nodes.size()}},
            {"subgraphs", subgraphs},
            {"constants", std::uint64_t{method.constants.size()}},
            {"constant_bytes", bytes},
            {"inputs", std::move(inputs)},
            {"outputs", packageOutputInfo(method)},
            {"state", packageStateInfo(package, method)},
            {"quantized_constants", packageQuantizedInfo(package, method)},
            {"operators", operators.list("name", "calls")}};
}

List lostConstantInfo(const native::Program& program) {
    List list;
    for (const native::LostConstant& lost : native::lostConstants(program)) {
        list.emplace_back(
            fmt::format("{}: {} reads buffer \"{}\", which is never written: its values are always zero. "
                        "A constant in a non-persistent buffer loses its values in this format",
                        core::printable(lost.method->name), core::printable(lost.buffer->name),
                        core::printable(lost.buffer->key)));
    }
    return list;
}

}  // namespace

Dict packageInfo(const native::Package& package) {
    Dict info{{"version", package.program.version}};
    if (List lost = lostConstantInfo(package.program); !lost.empty()) {
        info.emplace_back("warnings", std::move(lost));
    }
    List methods;
    for (const native::Method& method : package.program.methods) {
        methods.emplace_back(packageMethodInfo(package, method));
    }
    List tensors;
    for (const auto& [key, tensor] : package.tensors.tensors) {
        tensors.emplace_back(Dict{{"name", key},
                                  {"dtype", core::scalarTypeName(tensor.scalarType)},
                                  {"sizes", tensor.sizes},
                                  {"bytes", std::uint64_t{tensor.data.size()}}});
    }
    List aliases;
    for (const auto& [key, owner] : package.aliases) {
        aliases.emplace_back(Dict{{"name", key}, {"stored_as", owner}});
    }
    append(info, {{"members", listOf(package.members,
                                     [](const native::PackageMember& member) {
                                         return Dict{{"name", member.name},
                                                     {"bytes", member.bytes},
                                                     {"offset", optionalCell(member.offset)},
                                                     {"deflated", member.isDeflated}};
                                     })},
                  {"methods", std::move(methods)},
                  {"stored_tensors", std::move(tensors)},
                  {"aliases", std::move(aliases)}});
    return info;
}

}  // namespace et::output
