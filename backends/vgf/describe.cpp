#include "backends/vgf/describe.h"

#include "backends/call_graph.h"
#include "backends/payload_data.h"
#include "backends/tosa/operators.h"
#include "backends/vgf/container.h"
#include "backends/vgf/spirv.h"
#include "runtime/core/tensor.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace et::backends::vgf {
namespace {

using core::GraphGroup;
using core::GraphNode;
using core::GraphValue;
using core::ModelGraph;

struct FormatName {
    std::uint32_t code;
    std::string_view name;
    std::uint8_t bits;
};

/// VkFormat codes of tensors and images.
constexpr std::array formats = std::to_array<FormatName>({
    {9, "unorm8", 8},
    {10, "snorm8", 8},
    {13, "uint8", 8},
    {14, "int8", 8},
    {37, "unorm8 x 4", 32},
    {74, "uint16", 16},
    {75, "int16", 16},
    {76, "float16", 16},
    {97, "float16 x 4", 64},
    {98, "uint32", 32},
    {99, "int32", 32},
    {100, "float32", 32},
    {109, "float32 x 4", 128},
    {110, "uint64", 64},
    {111, "int64", 64},
    {112, "float64", 64},
    {1000460000, "bool", 8},
});

struct DescriptorName {
    std::uint32_t code;
    std::string_view name;
};
constexpr std::array descriptors = std::to_array<DescriptorName>({
    {1, "combined image sampler"},
    {2, "sampled image"},
    {3, "storage image"},
    {6, "uniform buffer"},
    {7, "storage buffer"},
    {1000460000, "tensor"},
});

constexpr std::uint32_t unset = std::numeric_limits<std::uint32_t>::max();
constexpr std::size_t longestValueName = 128;

std::string_view languageName(Module::Language language) {
    constexpr std::array<std::string_view, 4> names{"none", "SPIR-V", "GLSL", "HLSL"};
    return names.at(std::to_underlying(language));
}

class Describer {
  public:
    explicit Describer(const Container& from)
        : file(from), calls(countNumbers(from)), isShown(from.modules.size()) {}

    ModelGraph describe() {
        findNames(file.inputs, file.inputNames);
        findNames(file.outputs, file.outputNames);
        for (std::size_t i = 0; i < file.resources.size(); ++i) {
            calls.declare(i, describeResource(i));
        }
        std::size_t argument = 0;
        for (const Binding& input : file.inputs) {
            calls.setInput(input.resource, argument++);
        }
        for (const Segment& segment : file.segments) {
            addSegment(segment);
        }
        for (const Binding& output : file.outputs) {
            calls.setOutput(output.resource, argument++);
        }
        ModelGraph graph = calls.finish();
        for (GraphGroup& group : groups) {
            graph.addGroup(std::move(group));
        }
        return graph;
    }

  private:
    /// A number for each resource, and for each id that a graph may refer to.
    static std::size_t countNumbers(const Container& container) {
        std::size_t count = container.resources.size();
        for (const Module& module : container.modules) {
            count += module.isGraph ? module.code.size() / sizeof(std::uint32_t) : 0;
        }
        return count;
    }

    /// Takes the names of inputs and outputs.
    void findNames(const std::vector<Binding>& bindings, const std::vector<std::string>& list) {
        for (std::size_t i = 0; i < std::min(bindings.size(), list.size()); ++i) {
            names.try_emplace(bindings[i].resource, list[i]);
        }
    }

    GraphValue describeResource(std::size_t index) {
        const Resource& resource = file.resources[index];
        const auto* format = std::ranges::find(formats, resource.format, &FormatName::code);
        const bool isKnown = format != formats.end();
        const auto name = names.find(static_cast<std::uint32_t>(index));
        GraphValue value{
            .name = name == names.end() ? fmt::format("r{}", index) : std::string(name->second),
            .type = fmt::format(
                "{} {}", isKnown ? std::string(format->name) : fmt::format("VkFormat {}", resource.format),
                core::sizesText(resource.sizes)),
            .bytes = isKnown ? denseBytes(format->bits, resource.sizes) : 0};
        if (!resource.strides.empty()) {
            value.attributes.push_back({"strides", core::sizesText(resource.strides)});
        }
        if (resource.descriptorType != unset) {
            const auto* type = std::ranges::find(descriptors, resource.descriptorType, &DescriptorName::code);
            value.attributes.push_back({"descriptor", type == descriptors.end()
                                                          ? fmt::format("type {}", resource.descriptorType)
                                                          : std::string(type->name)});
        }
        if (resource.aliasGroup != unset) {
            value.attributes.push_back({"shared memory", fmt::to_string(resource.aliasGroup)});
        }
        if (resource.category == Resource::Category::Constant) {
            describeConstant(index, value);
        }
        return value;
    }

    void describeConstant(std::size_t index, GraphValue& value) {
        value.role = GraphValue::Role::Constant;
        if (constantOf.empty()) {
            for (const Constant& constant : file.constants) {
                constantOf.try_emplace(constant.resource, &constant);
            }
        }
        const auto found = constantOf.find(static_cast<std::uint32_t>(index));
        if (found != constantOf.end()) {
            value.data = found->second->data;
            value.bytes = value.data.size();
            if (found->second->sparseDimension >= 0) {
                value.attributes.push_back(
                    {"sparse dimension", fmt::to_string(found->second->sparseDimension)});
            }
        }
    }

    void addSegment(const Segment& segment) {
        const Module& module = file.modules[segment.module];
        if (segment.isGraph && module.isGraph && !isShown[segment.module]) {
            isShown[segment.module] = true;
            if (const auto read = SpirvModule::read(module.code)) {
                if (const auto graph = read->graph(module.entryPoint)) {
                    addGraph(segment, module, *read, *graph);
                    return;
                }
            }
        }
        GraphNode node{.name = fmt::format("n{}", position++),
                       .kind = segment.isGraph ? "graph" : "compute shader",
                       .attributes = attributesOf(segment, module)};
        for (const Binding& input : segment.inputs) {
            node.inputs.push_back(calls.read(input.resource));
        }
        for (const std::uint32_t constant : segment.constants) {
            node.inputs.push_back(calls.read(file.constants[constant].resource));
        }
        for (const Binding& output : segment.outputs) {
            node.outputs.push_back(calls.write(output.resource));
        }
        calls.addNode(std::move(node));
    }

    static std::vector<core::GraphAttribute> attributesOf(const Segment& segment, const Module& module) {
        std::vector<core::GraphAttribute> attributes{{"segment", segment.name},
                                                     {"module", module.name},
                                                     {"entry point", module.entryPoint},
                                                     {"language", std::string(languageName(module.language))},
                                                     {"code bytes", fmt::to_string(module.code.size())}};
        if (!segment.isGraph && !segment.dispatch.empty()) {
            attributes.push_back({"dispatch", core::sizesText(segment.dispatch)});
        }
        return attributes;
    }

    /// Ids of a graph's values and their numbers.
    struct Numbers {
        std::map<SpirvId, std::size_t> of{};
        std::size_t next = 0;
        std::size_t end = 0;
    };

    /// The resource of an input or output of a graph, by its decorated binding, else by its place. Nothing if
    /// the segment has none there.
    static std::optional<std::uint32_t> resourceOf(const std::map<std::uint32_t, std::uint32_t>& byBinding,
                                                   const std::optional<std::uint32_t>& binding,
                                                   const std::vector<Binding>& ports, std::size_t place) {
        const auto found = binding ? byBinding.find(*binding) : byBinding.end();
        if (found != byBinding.end()) {
            return found->second;
        }
        return place < ports.size() ? std::optional(ports[place].resource) : std::nullopt;
    }

    static std::map<std::uint32_t, std::uint32_t> bindingsOf(const Segment& segment) {
        std::map<std::uint32_t, std::uint32_t> resources;
        for (const auto* const list : {&segment.inputs, &segment.outputs, &segment.bindings}) {
            for (const Binding& each : *list) {
                resources.try_emplace(each.binding, each.resource);
            }
        }
        return resources;
    }

    void addGraph(const Segment& segment, const Module& module, const SpirvModule& spirv,
                  const SpirvGraph& graph) {
        groups.push_back(
            {.name = segment.name, .kind = "subgraph", .attributes = attributesOf(segment, module)});
        const core::GraphGroupId group(static_cast<std::uint32_t>(groups.size() - 1));
        Numbers numbers{.next = firstFree, .end = firstFree + module.code.size() / sizeof(std::uint32_t)};
        firstFree = numbers.end;
        const auto byBinding = bindingsOf(segment);
        const auto bindingOf = [&](std::size_t variable) {
            return variable < graph.bindings.size() ? graph.bindings[variable] : std::nullopt;
        };
        for (const SpirvPort& input : graph.inputs) {
            if (const auto resource =
                    resourceOf(byBinding, bindingOf(input.position), segment.inputs, input.position)) {
                numbers.of.try_emplace(input.id, *resource);
            }
        }
        for (const SpirvPort& output : graph.outputs) {
            if (const auto resource = resourceOf(byBinding, bindingOf(graph.inputCount + output.position),
                                                 segment.outputs, output.position)) {
                numbers.of.try_emplace(output.id, *resource);
            }
        }
        for (const SpirvOperator& each : graph.operators) {
            addOperator(segment, spirv, each, numbers, group);
        }
    }

    void addOperator(const Segment& segment, const SpirvModule& spirv, const SpirvOperator& each,
                     Numbers& numbers, core::GraphGroupId group) {
        // TOSA's set has the numbers of its flatbuffer, from 0.
        const bool isTosa = each.set.starts_with("TOSA.");
        const tosa::OperatorInfo* const info = isTosa ? tosa::operatorInfo(each.number + 1) : nullptr;
        GraphNode node{
            .name = fmt::format("n{}", position++),
            .kind =
                info == nullptr
                    ? fmt::format("{} {}", core::printable(each.set.substr(0, longestValueName)), each.number)
                    : std::string(info->name),
            .group = group};
        const std::size_t fields = info == nullptr ? 0 : std::min(info->fields.size(), each.operands.size());
        for (std::size_t i = 0; i < fields; ++i) {
            node.attributes.push_back({std::string(fieldAt(*info, i)), spirv.constantText(each.operands[i])});
        }
        node.inputNames = info == nullptr ? std::string_view() : info->inputNames;
        for (std::size_t i = fields; i < each.operands.size(); ++i) {
            if (const auto number = numberOf(segment, spirv, each.operands[i], numbers)) {
                node.inputs.push_back(calls.read(*number));
            }
        }
        if (const auto number = numberOf(segment, spirv, each.result, numbers)) {
            node.outputs.push_back(calls.write(*number));
        }
        calls.addNode(std::move(node));
    }

    /// In SPIR-V, an accumulator's type precedes the local bound.
    static std::string_view fieldAt(const tosa::OperatorInfo& info, std::size_t position) {
        const auto fields = info.fields;
        const bool isSwapped = fields.size() > 2 && fields.back().kind == tosa::FieldKind::Datatype &&
                               fields[fields.size() - 2].kind == tosa::FieldKind::Bool;
        if (isSwapped && position + 2 >= fields.size()) {
            position = position + 1 == fields.size() ? position - 1 : position + 1;
        }
        return fields[position].name;
    }

    /// The number of a value, which is declared when it is first used.
    std::optional<std::size_t> numberOf(const Segment& segment, const SpirvModule& spirv, SpirvId id,
                                        Numbers& numbers) {
        const auto [found, isNew] = numbers.of.try_emplace(id, numbers.next);
        if (!isNew) {
            return found->second;
        }
        if (const auto constant = spirv.graphConstant(id)) {
            if (*constant < segment.constants.size()) {
                found->second = file.constants[segment.constants[*constant]].resource;
                return found->second;
            }
        }
        if (numbers.next == numbers.end) {
            numbers.of.erase(found);
            return std::nullopt;
        }
        const std::string_view name = spirv.nameOf(id);
        GraphValue value{
            .name = name.empty() ? fmt::format("%{}", id) : core::printable(name.substr(0, longestValueName)),
            .type = spirv.tensorType(id)};
        if (std::string elements = spirv.constantText(id); !elements.empty()) {
            value.role = GraphValue::Role::Constant;
            value.attributes.push_back({"elements", std::move(elements)});
        }
        calls.declare(numbers.next++, std::move(value));
        return found->second;
    }

    const Container& file;
    CallGraph calls;
    std::vector<GraphGroup> groups;
    std::vector<bool> isShown;                        ///< by module
    std::map<std::uint32_t, std::string_view> names;  ///< of resources
    std::map<std::uint32_t, const Constant*> constantOf;
    std::size_t firstFree = file.resources.size();
    std::size_t position = 0;
};

}  // namespace

core::Result<ModelGraph> describe(core::Bytes payload, const executor::NamedDataSource& /*namedData*/) {
    ET_ASSIGN(const Container container, readContainer(payload));
    return Describer(container).describe();
}

core::Result<> listContents(const program::Delegate& delegate, const executor::NamedDataSource& /*namedData*/,
                            PayloadContents& contents) {
    ET_ASSIGN(const Container container, readContainer(delegate.payload, &contents.described));
    constexpr std::array<std::string_view, 4> names{"modules.bin", "sequence.bin", "resources.bin",
                                                    "constants.bin"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        contents.parts.push_back({.name = std::string(names[i]), .data = container.sections[i]});
    }
    std::vector<core::Bytes> shaders;
    for (std::size_t i = 0; i < container.modules.size(); ++i) {
        const Module& module = container.modules[i];
        constexpr std::array<std::string_view, 4> extensions{"bin", "spv", "glsl", "hlsl"};
        contents.parts.push_back(
            {.name = fmt::format("module_{}.{}", i, extensions.at(std::to_underlying(module.language))),
             .data = module.code});
        if (!module.isGraph) {
            shaders.push_back(module.code);
        }
    }
    contents.described.remove(shaders);
    return {};
}

}  // namespace et::backends::vgf
