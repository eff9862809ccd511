#include "tests/inspector/gap_faults.h"

#include "backends/xnnpack/format/read_payload.h"
#include "backends/xnnpack/payload/payload.h"
#include "backends/xnnpack/schema/payload_generated.h"
#include "bundled_program/bundle.h"
#include "runtime/core/byte_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <optional>
#include <span>

namespace et::test {
namespace {

using namespace backends::xnnpack;

/// Returns the offset of the flatbuffer, stored at byte 10 of the payload's header.
std::size_t flatbufferOffset(core::Bytes payload) {
    std::uint32_t offset = 0;
    std::memcpy(&offset, payload.data() + 10, sizeof offset);
    return offset;
}

/// One delegate of a writable copy of a program.
struct OpenDelegate {
    std::vector<std::byte>& bytes;
    const program::Program& program;  ///< the program from which `bytes` was copied
    Payload payload;                  ///< the original payload
    schema::Graph* graph = nullptr;   ///< in the writable copy

    /// Returns the same bytes in the copy.
    [[nodiscard]] std::span<std::byte> inCopy(core::Bytes part) const {
        return std::span(bytes).subspan(static_cast<std::size_t>(part.data() - program.bytes.data()),
                                        part.size());
    }
    [[nodiscard]] std::span<std::byte> constantOf(ValueIndex value) const {
        const PayloadConstant& constant = payload.constants[payload.value(value).constant];
        const core::Bytes data =
            constant.name.empty() ? constant.data : program.findNamedData(constant.name)->data;
        return inCopy(data);
    }
    /// Null if the payload has no such node; likewise for the following functions.
    [[nodiscard]] schema::Node* node(std::size_t index) const {
        auto* nodes = graph == nullptr ? nullptr : graph->mutable_nodes();
        return nodes == nullptr ? nullptr
                                : nodes->GetMutableObject(static_cast<flatbuffers::uoffset_t>(index));
    }
    [[nodiscard]] schema::PerTensor* quantization(ValueIndex value) const {
        auto* values = graph == nullptr ? nullptr : graph->mutable_values();
        auto* entry = values == nullptr ? nullptr : values->GetMutableObject(value);
        if (entry == nullptr || entry->kind_type() != schema::ValueKind::QuantizedTensor) {
            return nullptr;
        }
        auto* tensor = static_cast<schema::QuantizedTensor*>(entry->mutable_kind());
        return tensor != nullptr && tensor->quantization_type() == schema::Quantization::PerTensor
                   ? static_cast<schema::PerTensor*>(tensor->mutable_quantization())
                   : nullptr;
    }
};

/// Returns the weights of a node as elements of one type; empty if they have another type.
template <class T>
std::span<T> weights(const OpenDelegate& delegate, const PayloadNode& node) {
    const Datatype type = delegate.payload.value(node.inputs[1]).datatype;
    const bool fits =
        sizeof(T) == 1 ? type == Datatype::QInt8 || type == Datatype::QCInt8 : type == Datatype::Fp32;
    const std::span<std::byte> bytes = delegate.constantOf(node.inputs[1]);
    return fits ? std::span(reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)) : std::span<T>();
}

bool hasWeights(const OpenDelegate& delegate, const PayloadNode& node) {
    const NodeForm form = node.traits->form();
    const bool isProduct = form == NodeForm::Convolution || form == NodeForm::FullyConnected ||
                           form == NodeForm::DepthwiseConvolution;
    return isProduct && delegate.payload.value(node.inputs[1]).constant != 0;
}

template <class T>
bool turnLargest(std::span<T> numbers) {
    if (numbers.empty()) {
        return false;
    }
    const auto largest =
        std::ranges::max_element(numbers, {}, [](T number) { return std::abs(static_cast<double>(number)); });
    *largest = static_cast<T>(*largest == -128 ? 127 : -*largest);
    return true;
}

template <class T>
bool turnChannel(std::span<T> numbers, const PayloadValue& filter, bool isDepthwise) {
    if (numbers.empty()) {
        return false;
    }
    const std::size_t channels = isDepthwise ? filter.sizes.back() : filter.sizes.front();
    const std::size_t step = isDepthwise ? channels : 1;
    for (std::size_t i = 0; i < numbers.size() / channels; ++i) {
        T& number = numbers[i * step];
        number = static_cast<T>(number == -128 ? 127 : -number);
    }
    return true;
}

bool plantWeightSign(const OpenDelegate& delegate, std::size_t, const PayloadNode& node) {
    return hasWeights(delegate, node) &&
           (turnLargest(weights<std::int8_t>(delegate, node)) || turnLargest(weights<float>(delegate, node)));
}

bool plantChannelSign(const OpenDelegate& delegate, std::size_t, const PayloadNode& node) {
    if (!hasWeights(delegate, node)) {
        return false;
    }
    const PayloadValue& filter = delegate.payload.value(node.inputs[1]);
    const bool isDepthwise = node.traits->form() == NodeForm::DepthwiseConvolution;
    return turnChannel(weights<std::int8_t>(delegate, node), filter, isDepthwise) ||
           turnChannel(weights<float>(delegate, node), filter, isDepthwise);
}

bool plantZeroPoint(const OpenDelegate& delegate, std::size_t, const PayloadNode& node) {
    auto* parameters = hasWeights(delegate, node) ? delegate.quantization(node.outputs[0]) : nullptr;
    if (parameters == nullptr) {
        return false;
    }
    const int more = parameters->zero_point() + 25;
    return parameters->mutate_zero_point(more > 127 ? parameters->zero_point() - 25 : more);
}

bool plantScale(const OpenDelegate& delegate, std::size_t, const PayloadNode& node) {
    auto* parameters = hasWeights(delegate, node) ? delegate.quantization(node.outputs[0]) : nullptr;
    return parameters != nullptr && parameters->mutate_scale(parameters->scale() * 1.1F);
}

bool plantBound(const OpenDelegate& delegate, std::size_t index, const PayloadNode& node) {
    auto* table = delegate.node(index);
    auto* range = table == nullptr ? nullptr : table->mutable_output_range();
    const bool isFloat = delegate.payload.value(node.outputs[0]).datatype == Datatype::Fp32;
    return range != nullptr && node.range && isFloat && range->mutate_max(0.05F);
}

bool plantOperator(const OpenDelegate& delegate, std::size_t index, const PayloadNode& node) {
    auto* table = reinterpret_cast<flatbuffers::Table*>(delegate.node(index));
    if (node.traits->kind != NodeKind::Add || table == nullptr) {
        return false;
    }
    // A union's kind has no setter, because it is set with its table, which is the same here.
    std::uint8_t* type = table->GetAddressOf(schema::Node::VT_KIND_TYPE);
    if (type != nullptr) {
        *type = static_cast<std::uint8_t>(NodeKind::Subtract);
    }
    return type != nullptr;
}

bool plantPadding(const OpenDelegate& delegate, std::size_t index, const PayloadNode& node) {
    const auto* fields = std::get_if<ConvolutionFields>(&node.fields);
    auto* table = delegate.node(index);
    auto* convolution = table == nullptr ? nullptr : static_cast<schema::Convolution*>(table->mutable_kind());
    if (fields == nullptr || fields->padding.top == 0 || convolution == nullptr) {
        return false;
    }
    return convolution->mutate_padding_top(fields->padding.top - 1) &&
           convolution->mutate_padding_bottom(fields->padding.bottom + 1);
}

/// Applies the fault to the node; returns false if it is not applicable.
using Plant = bool (*)(const OpenDelegate& delegate, std::size_t index, const PayloadNode& node);

Plant plantOf(FaultKind kind) {
    switch (kind) {
        case FaultKind::WeightSign:
            return plantWeightSign;
        case FaultKind::ChannelSign:
            return plantChannelSign;
        case FaultKind::ZeroPoint:
            return plantZeroPoint;
        case FaultKind::Scale:
            return plantScale;
        case FaultKind::ActivationBound:
            return plantBound;
        case FaultKind::Operator:
            return plantOperator;
        case FaultKind::Padding:
            return plantPadding;
        case FaultKind::KernelConstant:
            break;
    }
    return nullptr;
}

/// Tries one node on a new copy.
std::optional<FaultyProgram> tryNode(const program::Program& program, const program::Delegate& delegate,
                                     std::size_t index, Plant plant) {
    FaultyProgram faulty{.bytes = {program.bytes.begin(), program.bytes.end()}, .node = {}};
    auto payload = readPayload(delegate.payload);
    if (!payload || index >= payload->nodes.size()) {
        return std::nullopt;
    }
    OpenDelegate open{.bytes = faulty.bytes, .program = program, .payload = *std::move(payload)};
    const std::span<std::byte> copy = open.inCopy(delegate.payload);
    open.graph = schema::GetMutableGraph(copy.data() + flatbufferOffset(delegate.payload));
    const PayloadNode& node = open.payload.nodes[index];
    if (node.debugHandle == noDebugHandle || !plant(open, index, node)) {
        return std::nullopt;
    }
    faulty.debugHandle = node.debugHandle;
    faulty.node = node.traits->name;
    return faulty;
}

std::vector<FaultyProgram> plantEverywhere(const program::Program& program, Plant plant) {
    std::vector<FaultyProgram> all;
    for (const program::Delegate& delegate : program.methods.front().delegates) {
        const auto payload = readPayload(delegate.payload);
        for (std::size_t i = 0; payload && i < payload->nodes.size(); ++i) {
            if (auto faulty = tryNode(program, delegate, i, plant)) {
                all.push_back(*std::move(faulty));
            }
        }
    }
    return all;
}

/// Changes the largest element of the largest constant read by a convolution or matrix product.
std::vector<FaultyProgram> plantInKernels(const program::Program& program) {
    std::vector<FaultyProgram> all;
    const program::Method& method = program.methods.front();
    std::int32_t at = -1;
    for (const program::Instruction& instruction : method.chains.front().instructions) {
        ++at;
        const auto* call = std::get_if<program::KernelCall>(&instruction);
        const std::string name = call == nullptr ? "" : method.op(call->op).fullName();
        if (!name.contains("convolution") && !name.contains("addmm") && !name.contains("linear")) {
            continue;
        }
        for (const program::ValueId id : call->args) {
            const auto* info = method.value(id).as<program::TensorInfo>();
            if (info == nullptr || info->data.empty() || info->sizes.size() < 2) {
                continue;
            }
            FaultyProgram faulty{
                .bytes = {program.bytes.begin(), program.bytes.end()}, .instruction = at, .node = name};
            auto* numbers =
                reinterpret_cast<float*>(faulty.bytes.data() + (info->data.data() - program.bytes.data()));
            if (turnLargest(std::span(numbers, info->data.size() / sizeof(float)))) {
                all.push_back(std::move(faulty));
            }
        }
    }
    return all;
}

}  // namespace

FaultPlanter::FaultPlanter(const std::filesystem::path& path) {
    const auto bundle = bundled_program::Bundle::open(path).value();
    program = program::Program::parse(bundle->file, bundle->program).value();
}

FaultyProgram FaultPlanter::plant(FaultKind kind, std::size_t ordinal) const {
    const Plant how = plantOf(kind);
    std::vector<FaultyProgram> all =
        how == nullptr ? plantInKernels(*program) : plantEverywhere(*program, how);
    if (all.empty()) {
        ADD_FAILURE() << "the program has no node that this fault fits";
        return {};
    }
    return std::move(all[ordinal % all.size()]);
}

std::vector<std::byte> FaultPlanter::untouched() const {
    return {program->bytes.begin(), program->bytes.end()};
}

}  // namespace et::test
