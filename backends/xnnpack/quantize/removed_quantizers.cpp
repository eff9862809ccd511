#include "backends/xnnpack/quantize/removed_quantizers.h"

#include "backends/lowering/node_arguments.h"
#include "backends/reference/node_values.h"
#include "backends/xnnpack/lower/quantizers.h"
#include "backends/xnnpack/quantize/model_draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

namespace et::backends::xnnpack {
namespace {

using core::ErrorCode;
using core::fail;
using core::Result;
using etrecord::Argument;
using etrecord::ExportedGraph;
using etrecord::Node;
using lowering::EdgeMethod;
using reference::Interpreter;
using reference::ReferenceTensor;

std::string nodeText(const Node& node) {
    return fmt::format("node \"{}\" ({})", core::printable(node.name), core::printable(node.op));
}

Result<> cannotRemove(const Node& node, std::string_view why) {
    return fail(ErrorCode::Unsupported,
                fmt::format("{} cannot be removed from the graph: {}", nodeText(node), why));
}

/// Copies the draft's nodes without quantizers, one after the other.
class Removal {
  public:
    Removal(const EdgeMethod& ofMethod, ModelDraft& ofDraft, Interpreter& of, RemovedQuantizers& into)
        : method(ofMethod), draft(ofDraft), interpreter(of), removed(into) {}

    Result<> run() {
        std::vector<Node> kept;
        for (Node& node : std::exchange(draft.graph.nodes, {})) {
            switch (quantizerKind(method, node)) {
                case QuantizerKind::None:
                    ET_TRY(keep(node));
                    kept.push_back(std::move(node));
                    break;
                case QuantizerKind::Quantize:
                    ET_TRY(removeQuantize(node));
                    break;
                case QuantizerKind::Dequantize:
                case QuantizerKind::DequantizeChannels:
                case QuantizerKind::DequantizeBlocks:
                    ET_TRY(removeDequantize(node));
                    break;
                case QuantizerKind::ChooseDynamic:
                case QuantizerKind::QuantizeDynamic:
                case QuantizerKind::DequantizeDynamic:
                    return cannotRemove(node, "its scale is computed at run time");
            }
        }
        draft.graph.nodes = std::move(kept);
        return renameOutputs();
    }

  private:
    struct Integers {
        std::string from;
        QuantizationNumbers numbers;
    };

    Result<> keep(Node& node) {
        for (Argument& argument : node.inputs) {
            std::string_view strange;
            renameValues(argument, [&](std::string& name) {
                strange = integers.contains(name) ? std::string_view(name) : strange;
                rename(name);
            });
            if (!strange.empty()) {
                return cannotRemove(node, "it reads integers");
            }
        }
        return {};
    }

    void rename(std::string& name) const {
        if (const auto found = renamed.find(name); found != renamed.end()) {
            name = found->second;
        }
    }

    Result<> removeQuantize(const Node& node) {
        const auto scale = tensorScale(method, node);
        if (!scale) {
            return cannotRemove(node, "its integers are not int8 with one scale and zero point");
        }
        std::string from(lowering::valueName(lowering::findArgument(node, "input")));
        rename(from);
        const QuantizationNumbers numbers{.scale = scale->scale, .zeroPoint = scale->zeroPoint};
        ET_TRY(note(node, from, numbers));
        integers[std::string(lowering::firstResult(node))] = {.from = std::move(from), .numbers = numbers};
        return {};
    }

    Result<> note(const Node& node, const std::string& value, QuantizationNumbers numbers) {
        if (!(removed.numbers.try_emplace(value, numbers).first->second == numbers)) {
            return cannotRemove(node, "the value that it reads has a different scale elsewhere");
        }
        return {};
    }

    Result<> removeDequantize(const Node& node) {
        const std::string_view input = lowering::valueName(lowering::findArgument(node, "input"));
        const std::string result(lowering::firstResult(node));
        if (const auto found = integers.find(input); found != integers.end()) {
            const auto scale = tensorScale(method, node);
            if (!scale || !(found->second.numbers ==
                            QuantizationNumbers{.scale = scale->scale, .zeroPoint = scale->zeroPoint})) {
                return cannotRemove(node,
                                    "its scale differs from the one that its integers were quantized with");
            }
            renamed[result] = found->second.from;
            return {};
        }
        if (!method.isConstant(input)) {
            return cannotRemove(node, "its input is neither a constant nor quantized in the graph");
        }
        return removeConstant(node, std::string(input), result);
    }

    Result<> removeConstant(const Node& node, const std::string& input, const std::string& result) {
        const std::string key = input + " " + node.op;
        std::string& value = constants[key];
        if (value.empty()) {
            ET_ASSIGN(auto made, interpreter.evaluate(std::vector{result}, {}));
            const auto* tensor = made[result].as<ReferenceTensor>();
            if (tensor == nullptr || tensor->view.dtype() != core::ScalarType::Float) {
                return cannotRemove(node, "it does not produce float32 numbers");
            }
            const auto* spec = method.input(input);
            const std::vector<std::int64_t> sizes(tensor->view.sizes().begin(), tensor->view.sizes().end());
            value = draft.addTensor(
                "parameter", input + "_float", spec->target + ".float",
                tensorOf(core::ScalarType::Float, sizes, {tensor->view.raw(), tensor->view.bytes()}));
            removed.constants.insert(value);
        }
        renamed[result] = value;
        if (const auto scale = tensorScale(method, node)) {
            return note(node, value, {.scale = scale->scale, .zeroPoint = scale->zeroPoint});
        }
        return {};
    }

    Result<> renameOutputs() {
        const auto change = [&](std::string& name) { rename(name); };
        for (etrecord::OutputSpec& output : draft.graph.outputSpecs) {
            if (integers.contains(output.value)) {
                return fail(
                    ErrorCode::Unsupported,
                    fmt::format(
                        "the output \"{}\" is integer: its quantizer cannot be removed from the graph",
                        core::printable(output.value)));
            }
            rename(output.value);
            renameValues(output.argument, change);
        }
        std::ranges::for_each(draft.graph.outputs, [&](Argument& each) { renameValues(each, change); });
        return {};
    }

    const EdgeMethod& method;
    ModelDraft& draft;
    Interpreter& interpreter;
    RemovedQuantizers& removed;
    std::map<std::string, Integers, std::less<>> integers;      ///< by the int8 value
    std::map<std::string, std::string, std::less<>> renamed;    ///< dequantized values -> their replacements
    std::map<std::string, std::string, std::less<>> constants;  ///< by integer value and operator
};

}  // namespace

Result<RemovedQuantizers> removeQuantizers(const etrecord::Record& record, std::string_view name,
                                           const reference::InterpreterOptions& options) {
    RemovedQuantizers removed;
    ET_ASSIGN(EdgeMethod method, EdgeMethod::open(record, name));
    ET_ASSIGN(ModelDraft draft, ModelDraft::open(method));
    ET_ASSIGN(const auto interpreter, Interpreter::edge(record, name, options));
    ET_TRY(Removal(method, draft, *interpreter, removed).run());
    ET_ASSIGN(auto bytes, draft.record(record, name));
    ET_ASSIGN(removed.record,
              etrecord::Record::parse(core::MappedFile::fromMemory(std::move(bytes), record.file().name())));
    return removed;
}

Result<bool> hasQuantizers(const etrecord::Record& record, std::string_view name) {
    ET_ASSIGN(const EdgeMethod method, EdgeMethod::open(record, name));
    return std::ranges::any_of(method.graph().nodes, [&](const Node& node) {
        return quantizerKind(method, node) != QuantizerKind::None;
    });
}

Result<RemovedQuantizers::ByValue<std::string>> matchingValues(const ExportedGraph& from,
                                                               const ExportedGraph& to) {
    RemovedQuantizers::ByValue<std::string> matched;
    const std::size_t count = std::max(from.nodes.size(), to.nodes.size());
    for (std::size_t i = 0; i < count; ++i) {
        const Node* left = i < from.nodes.size() ? &from.nodes[i] : nullptr;
        const Node* right = i < to.nodes.size() ? &to.nodes[i] : nullptr;
        const bool same = left != nullptr && right != nullptr && left->op == right->op;
        const auto read = same ? reference::namesIn(left->inputs) : std::vector<std::string>();
        const auto otherRead = same ? reference::namesIn(right->inputs) : std::vector<std::string>();
        const auto made = same ? reference::namesIn(left->outputs) : std::vector<std::string>();
        const auto otherMade = same ? reference::namesIn(right->outputs) : std::vector<std::string>();
        if (!same || read.size() != otherRead.size() || made.size() != otherMade.size()) {
            return fail(ErrorCode::Mismatch,
                        fmt::format("the records belong to different models: operator {} is {} in the "
                                    "quantized one and {} in the float one",
                                    i, left == nullptr ? "none" : nodeText(*left),
                                    right == nullptr ? "none" : nodeText(*right)));
        }
        for (std::size_t j = 0; j < read.size(); ++j) {
            matched.try_emplace(read[j], otherRead[j]);
        }
        for (std::size_t j = 0; j < made.size(); ++j) {
            matched.try_emplace(made[j], otherMade[j]);
        }
    }
    return matched;
}

}  // namespace et::backends::xnnpack
