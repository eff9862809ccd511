#include "inspector/program_diff/detail/steps.h"

#include "inspector/program_diff/detail/value_text.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace et::inspector::program_diff::detail {
namespace {

using core::ErrorCode;
using program::InitialData;
using program::Method;
using program::TensorInfo;
using program::ValueId;
using TensorFiles = std::span<const std::shared_ptr<const program::TensorData>>;

/// Maximum number of operands of a method: a list stored once may be an argument a million times.
constexpr std::size_t maxOperands = std::size_t{1} << 19;

/// Origin of a value's contents, as of the instructions read so far.
struct Origin {
    Operand::Kind kind = Operand::Kind::Unset;
    std::size_t index = 0;
    std::size_t output = 0;
};

core::Bytes externalData(TensorFiles files, std::string_view name) {
    for (const auto& file : files) {
        if (const program::TensorDataEntry* entry = file->find(name)) {
            return entry->data;
        }
    }
    return {};
}

/// The arguments of a call without its out arguments, and its results.
struct SplitArguments {
    std::span<const ValueId> inputs;
    std::vector<ValueId> results;
};

class MethodReader {
  public:
    MethodReader(const Method& from, TensorFiles files)
        : method(from), tensorFiles(files), texts(from), origins(from.values.size()) {
        for (std::size_t i = 0; i < method.values.size(); ++i) {
            if (const auto* tensor = method.values[i].as<TensorInfo>()) {
                origins[i].kind = kindOf(*tensor);
            } else {
                origins[i].kind = Operand::Kind::Literal;
            }
        }
        for (std::size_t i = 0; i < method.inputs.size(); ++i) {
            origins[method.inputs[i].value] = {.kind = Operand::Kind::Input, .index = i};
        }
    }

    core::Result<StepList> read() {
        for (std::size_t chain = 0; chain < method.chains.size(); ++chain) {
            const auto& instructions = method.chains[chain].instructions;
            firstOfChain = list.steps.size();
            for (std::size_t i = 0; i < instructions.size(); ++i) {
                list.steps.push_back({.chain = chain, .number = i});
                std::visit([this](const auto& each) { add(each); }, instructions[i]);
                if (operandCount > maxOperands) {
                    return core::fail(
                        ErrorCode::Limit,
                        fmt::format("method \"{}\": expected at most {} arguments and list items in total",
                                    core::printable(method.name), maxOperands));
                }
            }
        }
        for (std::size_t i = 0; i < method.outputs.size(); ++i) {
            addOperands(list.outputs, method.outputs[i], i);
        }
        return std::move(list);
    }

  private:
    static Operand::Kind kindOf(const TensorInfo& tensor) {
        if (tensor.initialData == InitialData::None) {
            return Operand::Kind::Unset;
        }
        return tensor.allocation ? Operand::Kind::State : Operand::Kind::Constant;
    }

    [[nodiscard]] Step& step() { return list.steps.back(); }

    void add(const program::KernelCall& call) {
        step().kind = method.op(call.op).fullName();
        const SplitArguments split = splitKernel(call);
        addCall(split);
    }

    void add(const program::DelegateCall& call) {
        step().kind = method.delegate(call.delegate).backend;
        step().delegate = call.delegate.value;
        const auto written = std::ranges::find_last_if(
            call.args, [this](ValueId id) { return origins[id.value].kind != Operand::Kind::Unset; });
        const auto inputs =
            static_cast<std::size_t>(written.empty() ? 0 : written.begin() - call.args.begin() + 1);
        addCall({.inputs = std::span(call.args).first(inputs),
                 .results = {call.args.begin() + static_cast<std::ptrdiff_t>(inputs), call.args.end()}});
    }

    void add(const program::MoveCall& call) {
        step().kind = "MoveCall";
        addCall({.inputs = std::span(&call.from, 1), .results = {call.to}});
    }

    void add(const program::JumpFalseCall& call) {
        step().kind = "JumpFalseCall";
        addCall({.inputs = std::span(&call.condition, 1), .results = {}});
        step().operands.push_back({.kind = Operand::Kind::Target,
                                   .argument = 1,
                                   .index = firstOfChain + static_cast<std::size_t>(call.destination.value),
                                   .text = {}});
    }

    void add(const program::FreeCall& call) {
        step().kind = "FreeCall";
        addCall({.inputs = std::span(&call.value, 1), .results = {}});
    }

    /// The last argument of a kernel call is its result, or the list of results. Out arguments are also
    /// repeated before it; an in-place operator ("copy_") has its result only among the inputs.
    [[nodiscard]] SplitArguments splitKernel(const program::KernelCall& call) const {
        SplitArguments split{.inputs = call.args, .results = {}};
        if (call.args.empty()) {
            return split;
        }
        const ValueId last = call.args.back();
        split.results = resultsIn(last);
        split.inputs = split.inputs.first(split.inputs.size() - 1);
        const bool inPlace = method.op(call.op).name.ends_with('_');
        while (!inPlace && !split.inputs.empty() &&
               (split.inputs.back() == last || std::ranges::contains(split.results, split.inputs.back()))) {
            split.inputs = split.inputs.first(split.inputs.size() - 1);
        }
        return split;
    }

    [[nodiscard]] std::vector<ValueId> resultsIn(ValueId id) const {
        if (const auto* tensors = method.value(id).as<program::TensorList>()) {
            return tensors->items;
        }
        return {id};
    }

    void addCall(const SplitArguments& split) {
        for (std::size_t i = 0; i < split.inputs.size(); ++i) {
            addOperands(step().operands, split.inputs[i], i);
        }
        for (std::size_t i = 0; i < split.results.size(); ++i) {
            const ValueId id = split.results[i];
            step().results.push_back({.type = typeText(method, id)});
            origins[id.value] = {.kind = Operand::Kind::Step, .index = list.steps.size() - 1, .output = i};
            texts.markWritten(id);
        }
        operandCount += split.results.size();
    }

    void addOperands(std::vector<Operand>& operands, ValueId id, std::size_t argument) {
        if (const auto* tensors = method.value(id).as<program::TensorList>()) {
            for (std::size_t i = 0; i < tensors->items.size() && operandCount <= maxOperands; ++i) {
                addItem(operands, tensors->items[i], argument, i);
            }
            return;
        }
        if (const auto* tensors = method.value(id).as<program::OptionalTensorList>()) {
            for (std::size_t i = 0; i < tensors->items.size() && operandCount <= maxOperands; ++i) {
                if (const auto& item = tensors->items[i]) {
                    addItem(operands, *item, argument, i);
                } else {
                    operands.push_back({.kind = Operand::Kind::Literal,
                                        .argument = argument,
                                        .item = i,
                                        .inList = true,
                                        .text = "None"});
                    ++operandCount;
                }
            }
            return;
        }
        operands.push_back(operand(id, argument));
        ++operandCount;
    }

    void addItem(std::vector<Operand>& operands, ValueId id, std::size_t argument, std::size_t item) {
        operands.push_back(operand(id, argument));
        operands.back().inList = true;
        operands.back().item = item;
        ++operandCount;
    }

    [[nodiscard]] Operand operand(ValueId id, std::size_t argument) {
        const Origin& origin = origins[id.value];
        Operand out{.kind = origin.kind,
                    .argument = argument,
                    .index = origin.index,
                    .output = origin.output,
                    .text = origin.kind == Operand::Kind::Literal ? texts.of(id) : typeText(method, id)};
        const auto* tensor = method.value(id).as<TensorInfo>();
        if (tensor != nullptr &&
            (origin.kind == Operand::Kind::Constant || origin.kind == Operand::Kind::State)) {
            out.constant = constantOf(*tensor);
        }
        return out;
    }

    [[nodiscard]] ConstantData constantOf(const TensorInfo& tensor) const {
        const bool external = tensor.initialData == InitialData::External;
        const core::Bytes bytes = external ? externalData(tensorFiles, tensor.name) : tensor.data;
        return {.name = std::string(tensor.name),
                .dtype = core::scalarTypeName(tensor.scalarType),
                .bytes = bytes,
                .known = !external || !bytes.empty()};
    }

    const Method& method;
    TensorFiles tensorFiles;
    ValueTexts texts;
    std::vector<Origin> origins;  ///< by ValueId
    StepList list;
    std::size_t firstOfChain = 0;
    std::size_t operandCount = 0;
};

}  // namespace

core::Result<StepList> stepsOf(const Method& method, TensorFiles tensorData) {
    return MethodReader(method, tensorData).read();
}

}  // namespace et::inspector::program_diff::detail
