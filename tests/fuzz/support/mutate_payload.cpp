#include "tests/fuzz/support/mutate_payload.h"

#include "backends/xnnpack/format/write_payload.h"
#include "backends/xnnpack/nodes/node_table.h"
#include "tests/fuzz/support/fit_payload.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace et::fuzz {
namespace {

namespace xnnpack = backends::xnnpack;
using xnnpack::Datatype;
using xnnpack::NodeForm;
using xnnpack::PayloadNode;
using xnnpack::PayloadValue;
using xnnpack::ValueIndex;

constexpr std::array<std::uint32_t, 20> counts{0, 1, 1, 1, 1,  2,  2,   3,        3,          4,
                                               5, 7, 8, 9, 16, 33, 255, 1U << 20, 0x7FFFFFFF, 0xFFFFFFFF};
constexpr std::array<float, 18> reals{0.0F,
                                      -0.0F,
                                      1.0F,
                                      -1.0F,
                                      0.5F,
                                      6.0F,
                                      127.0F,
                                      -128.F,
                                      1e-3F,
                                      0.01F,
                                      1e-8F,
                                      1e-12F,
                                      1e-39F,
                                      1e8F,
                                      3.4e38F,
                                      std::numeric_limits<float>::infinity(),
                                      -std::numeric_limits<float>::infinity(),
                                      std::numeric_limits<float>::quiet_NaN()};
constexpr std::array<std::int32_t, 9> zeroPoints{0, 0, 1, -1, 127, -128, 128, 255, 100000};

class Mutation {
  public:
    Mutation(xnnpack::Payload& mutated, std::mt19937_64& generator) : payload(mutated), random(generator) {}

    void apply() {
        switch (below(16)) {
            case 0:
            case 1:
            case 2:
            case 3:
                return changeFields();
            case 4:
            case 5:
            case 6:
                return onNode(&Mutation::changeEnds);
            case 7:
                return onNode(&Mutation::changeKind);
            case 8:
                return onNode(&Mutation::changeRange);
            case 9:
                return changeNodes();
            case 10:
            case 11:
                return onValue(&Mutation::changeSizes);
            case 12:
                return onValue(&Mutation::changeType);
            case 13:
            case 14:
                return onValue(&Mutation::changeQuantization);
            default:
                return onValue(&Mutation::changePlace);
        }
    }

  private:
    std::size_t below(std::size_t count) { return count == 0 ? 0 : random() % count; }
    template <class List>
    auto pick(const List& list) {
        return list[below(std::size(list))];
    }

    void onNode(void (Mutation::*how)(PayloadNode&)) {
        if (!payload.nodes.empty()) {
            (this->*how)(payload.nodes[below(payload.nodes.size())]);
        }
    }
    void onValue(void (Mutation::*how)(PayloadValue&)) {
        if (!payload.values.empty()) {
            (this->*how)(payload.values[below(payload.values.size())]);
        }
    }

    /// Returns a number mostly close to the original.
    std::uint32_t changed(std::uint32_t number) {
        switch (below(4)) {
            case 0:
                return number + 1;
            case 1:
                return number == 0 ? 1 : number - 1;
            default:
                return pick(counts);
        }
    }
    void change(std::uint32_t& number) { number = changed(number); }

    void change(xnnpack::HeightWidth& both) { below(2) == 0 ? change(both.height) : change(both.width); }
    void change(xnnpack::ImagePadding& padding) {
        const std::array sides{&padding.top, &padding.right, &padding.bottom, &padding.left};
        change(*pick(sides));
    }
    void change(xnnpack::PayloadDims& list) {
        if (list.empty() || below(8) == 0) {
            list.push_back(pick(counts));
        } else if (below(8) == 0) {
            list.resize(list.size() - 1);
        } else if (below(3) == 0) {
            std::swap(list[below(list.size())], list[below(list.size())]);
        } else {
            change(list[below(list.size())]);
        }
    }
    void change(float& number) { number = below(4) == 0 ? number * 1.5F : pick(reals); }

    void changeFields() {
        if (!payload.nodes.empty()) {
            PayloadNode& node = payload.nodes[below(payload.nodes.size())];
            std::visit([this](auto& fields) { change(fields); }, node.fields);
            if (below(6) == 0) {
                node.flags ^= 1U << below(8);
            }
        }
    }
    void change(std::monostate&) {}
    void change(xnnpack::ConvolutionFields& fields) {
        switch (below(8)) {
            case 0:
                return change(fields.padding);
            case 1:
                return change(fields.kernel);
            case 2:
                return change(fields.stride);
            case 3:
                return change(fields.dilation);
            case 4:
                return change(fields.adjustment);
            case 5:
                return change(fields.groups);
            case 6:
                return change(fields.groupInputChannels);
            default:
                return change(fields.groupOutputChannels);
        }
    }
    void change(xnnpack::PoolingFields& fields) {
        switch (below(4)) {
            case 0:
                return change(fields.padding);
            case 1:
                return change(fields.window);
            case 2:
                return change(fields.stride);
            default:
                return change(fields.dilation);
        }
    }
    void change(xnnpack::TransposeFields& fields) { change(fields.order); }
    void change(xnnpack::ReshapeFields& fields) { change(fields.sizes); }
    void change(xnnpack::SliceFields& fields) {
        below(2) == 0 ? change(fields.offsets) : change(fields.sizes);
    }
    void change(xnnpack::PadFields& fields) {
        switch (below(3)) {
            case 0:
                return change(fields.before);
            case 1:
                return change(fields.after);
            default:
                return change(fields.value);
        }
    }
    void change(xnnpack::ResizeFields& fields) { change(fields.size); }
    void change(xnnpack::ConcatenateFields& fields) { fields.axis = static_cast<std::int32_t>(below(9)) - 4; }
    void change(xnnpack::NumberFields& fields) { change(fields.value); }

    void changeEnds(PayloadNode& node) {
        auto& ends = below(3) == 0 ? node.outputs : node.inputs;
        if (ends.empty() || payload.values.empty()) {
            return;
        }
        const auto any = static_cast<ValueIndex>(below(payload.values.size()));
        ends[below(ends.size())] = below(12) == 0 ? xnnpack::noValue : any;
    }

    void changeKind(PayloadNode& node) {
        const auto kinds = xnnpack::nodeKinds();
        const xnnpack::NodeKindInfo* traits = &kinds[below(kinds.size())];
        // Mostly one with the same fields, inputs and outputs.
        for (int tries = 0; tries < 40 && traits->form() != node.traits->form() && below(8) != 0; ++tries) {
            traits = &kinds[below(kinds.size())];
        }
        node.traits = traits;
        node.inputs.resize(traits->inputs, node.inputs.empty() ? 0 : node.inputs[0]);
        if (traits->form() == NodeForm::ArgMaxPooling) {
            node.outputs.resize(2, static_cast<ValueIndex>(below(payload.values.size())));
        }
    }

    void changeRange(PayloadNode& node) {
        if (node.range && below(3) == 0) {
            node.range.reset();
            return;
        }
        xnnpack::OutputRange range = node.range.value_or(xnnpack::OutputRange{});
        below(2) == 0 ? change(range.min) : change(range.max);
        node.range = range;
    }

    /// Duplicates a node with its own output, removes one, or swaps two.
    void changeNodes() {
        if (payload.nodes.empty()) {
            return;
        }
        const std::size_t index = below(payload.nodes.size());
        if (below(4) == 0) {
            payload.nodes.erase(payload.nodes.begin() + static_cast<std::ptrdiff_t>(index));
            return;
        }
        if (below(4) == 0) {
            std::swap(payload.nodes[index], payload.nodes[below(payload.nodes.size())]);
            return;
        }
        // Inserts a node with one input and one output between this node and its readers.
        PayloadNode inserted = payload.nodes[index];
        if (inserted.outputs.empty() || inserted.outputs[0] >= payload.values.size()) {
            return;
        }
        PayloadValue between = payload.values[inserted.outputs[0]];
        between.isInput = between.isOutput = false;
        between.externalId.reset();
        between.constant = 0;
        payload.values.push_back(between);
        const auto added = static_cast<ValueIndex>(payload.values.size() - 1);
        static constexpr std::array kinds{xnnpack::NodeKind::Clamp,     xnnpack::NodeKind::Copy,
                                          xnnpack::NodeKind::Convert,   xnnpack::NodeKind::Softmax,
                                          xnnpack::NodeKind::HardSwish, xnnpack::NodeKind::Clamp};
        inserted = PayloadNode{.traits = xnnpack::nodeKind(static_cast<std::uint8_t>(pick(kinds))),
                               .inputs = {added},
                               .outputs = {inserted.outputs[0]}};
        if (inserted.traits->kind == xnnpack::NodeKind::Clamp) {
            changeRange(inserted);
        }
        payload.nodes[index].outputs[0] = added;
        payload.nodes.insert(payload.nodes.begin() + static_cast<std::ptrdiff_t>(index) + 1, inserted);
    }

    void changeSizes(PayloadValue& value) { change(value.sizes); }

    void changeType(PayloadValue& value) {
        value.datatype = static_cast<Datatype>(below(16));
        // Mostly with the required parameters.
        switch (below(4) == 0 ? Datatype::Fp32 : value.datatype) {
            case Datatype::QInt8:
            case Datatype::QUInt8:
            case Datatype::QInt32:
                value.quantization = xnnpack::PerTensorQuantization{.scale = 0.1F, .zeroPoint = 0};
                break;
            case Datatype::QCInt8:
            case Datatype::QCInt32:
            case Datatype::QCInt4:
                value.quantization = xnnpack::PerChannelQuantization{};
                break;
            case Datatype::QDInt8:
                value.quantization = xnnpack::PerTokenQuantization{.nonbatchDims = 1};
                break;
            case Datatype::QBInt4:
                value.quantization =
                    xnnpack::BlockwiseQuantization{.channelDim = 0, .blockSize = 32, .scales = {}};
                break;
            default:
                value.quantization = {};
                break;
        }
    }

    void changeQuantization(PayloadValue& value) {
        std::visit([this](auto& parameters) { changeParameters(parameters); }, value.quantization);
    }
    void changeParameters(std::monostate&) {}
    void changeParameters(xnnpack::PerTensorQuantization& parameters) {
        below(2) == 0 ? change(parameters.scale) : static_cast<void>(parameters.zeroPoint = pick(zeroPoints));
    }
    void changeParameters(xnnpack::PerChannelQuantization& parameters) {
        if (below(3) == 0) {
            parameters.channelDim = static_cast<std::uint32_t>(below(5));
        } else if (!parameters.scales.empty()) {
            change(parameters.scales[below(parameters.scales.size())]);
        }
    }
    void changeParameters(xnnpack::PerTokenQuantization& parameters) {
        parameters.nonbatchDims = static_cast<std::uint32_t>(below(5));
    }
    void changeParameters(xnnpack::BlockwiseQuantization& parameters) {
        static constexpr std::array<std::uint32_t, 8> blocks{1, 2, 8, 16, 32, 64, 96, 128};
        if (below(3) == 0) {
            parameters.channelDim = static_cast<std::uint32_t>(below(3));
        } else if (below(2) == 0) {
            parameters.blockSize = pick(blocks);
        } else if (!parameters.scales.empty()) {
            parameters.scales[below(parameters.scales.size())] = static_cast<std::uint16_t>(random());
        }
    }

    /// Changes whether a value is constant, and whether it is external.
    void changePlace(PayloadValue& value) {
        switch (below(5)) {
            case 0:
                value.constant = static_cast<std::uint32_t>(below(payload.constants.size() + 1));
                break;
            case 1:
                value.isOutput = !value.isOutput;
                break;
            case 2:
                value.isInput = !value.isInput;
                break;
            default:
                value.externalId = pick(counts);
                return;
        }
        if (value.isInput || value.isOutput) {
            value.externalId = static_cast<std::uint32_t>(below(8));
        } else {
            value.externalId.reset();
        }
    }

    xnnpack::Payload& payload;
    std::mt19937_64& random;
};

}  // namespace

std::vector<std::byte> mutatePayload(const xnnpack::Payload& from, std::mt19937_64& random) {
    xnnpack::Payload payload = from;
    Mutation mutation(payload, random);
    for (std::size_t count = 1 + random() % 3; count > 0; --count) {
        mutation.apply();
    }
    PayloadFitting fitting(payload);
    if (random() % 8 != 0) {
        fitting.fit();
    }
    return backends::xnnpack::writePayload(payload);
}

}  // namespace et::fuzz
