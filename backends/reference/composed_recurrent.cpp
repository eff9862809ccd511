#include "backends/reference/composing.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

// Recurrent layers, as exported for torch.nn's LSTM, GRU and RNN: all layers, directions and steps in one
// operator.
namespace et::backends::reference {
namespace {

using core::ErrorCode;
using core::Result;
using core::ScalarType;
using Tensors = std::vector<ReferenceTensor>;

Result<Tensors> tensorsOf(const ReferenceValue& value) {
    const auto* list = value.as<ReferenceValue::List>();
    Tensors tensors;
    if (list == nullptr) {
        ET_ASSIGN(ReferenceTensor one, tensorOf(value));
        tensors.push_back(std::move(one));
        return tensors;
    }
    for (const ReferenceValue& each : *list) {
        ET_ASSIGN(ReferenceTensor one, tensorOf(each));
        tensors.push_back(std::move(one));
    }
    return tensors;
}

/// Elementwise arithmetic in one dtype.
class Arithmetic {
  public:
    Arithmetic(Calls& with, ScalarType type) : calls(with), dtype(type) {}

    Result<ReferenceTensor> add(const ReferenceTensor& a, const ReferenceTensor& b) const {
        return calls.tensor("aten.add.Tensor", {{a}, {b}}, dtype);
    }
    Result<ReferenceTensor> subtract(const ReferenceTensor& a, const ReferenceTensor& b) const {
        return calls.tensor("aten.sub.Tensor", {{a}, {b}}, dtype);
    }
    Result<ReferenceTensor> multiply(const ReferenceTensor& a, const ReferenceTensor& b) const {
        return calls.tensor("aten.mul.Tensor", {{a}, {b}}, dtype);
    }
    Result<ReferenceTensor> apply(std::string_view function, const ReferenceTensor& a) const {
        return calls.tensor(function, {{a}}, dtype);
    }
    Result<ReferenceTensor> linear(const ReferenceTensor& input, const ReferenceTensor& weight,
                                   const ReferenceTensor* bias) const {
        return calls.tensor("aten.linear.default",
                            {{input}, {weight}, bias == nullptr ? ReferenceValue{} : ReferenceValue{*bias}},
                            dtype);
    }
    Result<ReferenceTensor> select(const ReferenceTensor& from, std::int64_t dim, std::int64_t index) const {
        return calls.tensor("aten.select_copy.int", {{from}, whole(dim), whole(index)}, dtype);
    }
    /// Slice `index` of `count` equal slices along the last dimension.
    Result<ReferenceTensor> part(const ReferenceTensor& from, std::int64_t index, std::int64_t count) const {
        const std::int64_t size = from.view.sizes()[from.view.dim() - 1] / count;
        return calls.tensor("aten.slice_copy.Tensor",
                            {{from}, whole(-1), whole(index * size), whole((index + 1) * size), whole(1)},
                            dtype);
    }
    Result<ReferenceTensor> join(std::string_view op, const Tensors& parts, std::int64_t dim) const {
        ReferenceValue::List list(parts.begin(), parts.end());
        return calls.tensor(op, {{std::move(list)}, whole(dim)}, dtype);
    }
    Result<ReferenceTensor> reshaped(std::string_view op, const ReferenceTensor& from,
                                     std::initializer_list<std::int64_t> dims) const {
        const auto* at = dims.begin();
        return dims.size() == 1 ? calls.tensor(op, {{from}, whole(*at)}, dtype)
                                : calls.tensor(op, {{from}, whole(*at), whole(at[1])}, dtype);
    }

  private:
    Calls& calls;
    ScalarType dtype;
};

/// Weights of one layer in one direction; `projection` only for LSTMs. Null: none.
struct CellWeights {
    const ReferenceTensor* input = nullptr;
    const ReferenceTensor* hidden = nullptr;
    const ReferenceTensor* inputBias = nullptr;
    const ReferenceTensor* hiddenBias = nullptr;
    const ReferenceTensor* projection = nullptr;
};

/// State passed from step to step: the hidden state, and for an LSTM the cell state.
struct CellState {
    ReferenceTensor hidden;
    std::optional<ReferenceTensor> cell;
};

/// `gates`: contribution of the inputs, [batch, gates * size].
using Cell = Result<CellState> (*)(const Arithmetic& with, const ReferenceTensor& gates,
                                   const CellState& state, const CellWeights& weights);

/// Gates in the order input, forget, cell, output.
Result<CellState> lstmCell(const Arithmetic& with, const ReferenceTensor& gates, const CellState& state,
                           const CellWeights& weights) {
    constexpr std::int64_t count = 4;
    ET_ASSIGN(const auto own, with.linear(state.hidden, *weights.hidden, weights.hiddenBias));
    ET_ASSIGN(const auto all, with.add(gates, own));
    std::array<ReferenceTensor, count> parts;
    for (std::int64_t i = 0; i < count; ++i) {
        ET_ASSIGN(const auto part, with.part(all, i, count));
        ET_ASSIGN(parts[static_cast<std::size_t>(i)],
                  with.apply(i == 2 ? "aten.tanh.default" : "aten.sigmoid.default", part));
    }
    ET_ASSIGN(const auto kept, with.multiply(parts[1], *state.cell));
    ET_ASSIGN(const auto taken, with.multiply(parts[0], parts[2]));
    ET_ASSIGN(auto cell, with.add(kept, taken));
    ET_ASSIGN(const auto shown, with.apply("aten.tanh.default", cell));
    ET_ASSIGN(auto hidden, with.multiply(parts[3], shown));
    if (weights.projection != nullptr) {
        ET_ASSIGN(hidden, with.linear(hidden, *weights.projection, nullptr));
    }
    return CellState{.hidden = std::move(hidden), .cell = std::move(cell)};
}

/// Gates in the order reset, update, new.
Result<CellState> gruCell(const Arithmetic& with, const ReferenceTensor& gates, const CellState& state,
                          const CellWeights& weights) {
    constexpr std::int64_t count = 3;
    ET_ASSIGN(const auto own, with.linear(state.hidden, *weights.hidden, weights.hiddenBias));
    std::array<ReferenceTensor, 2> opened;
    for (std::int64_t i = 0; i < 2; ++i) {
        ET_ASSIGN(const auto left, with.part(gates, i, count));
        ET_ASSIGN(const auto right, with.part(own, i, count));
        ET_ASSIGN(const auto sum, with.add(left, right));
        ET_ASSIGN(opened[static_cast<std::size_t>(i)], with.apply("aten.sigmoid.default", sum));
    }
    ET_ASSIGN(const auto given, with.part(gates, 2, count));
    ET_ASSIGN(const auto before, with.part(own, 2, count));
    ET_ASSIGN(const auto reset, with.multiply(opened[0], before));
    ET_ASSIGN(const auto sum, with.add(given, reset));
    ET_ASSIGN(const auto fresh, with.apply("aten.tanh.default", sum));
    ET_ASSIGN(const auto change, with.subtract(state.hidden, fresh));
    ET_ASSIGN(const auto kept, with.multiply(opened[1], change));
    ET_ASSIGN(auto hidden, with.add(fresh, kept));
    return CellState{.hidden = std::move(hidden), .cell = {}};
}

Result<CellState> plainCell(const Arithmetic& with, const ReferenceTensor& gates, const CellState& state,
                            const CellWeights& weights, std::string_view function) {
    ET_ASSIGN(const auto own, with.linear(state.hidden, *weights.hidden, weights.hiddenBias));
    ET_ASSIGN(const auto sum, with.add(gates, own));
    ET_ASSIGN(auto hidden, with.apply(function, sum));
    return CellState{.hidden = std::move(hidden), .cell = {}};
}

Result<CellState> tanhCell(const Arithmetic& with, const ReferenceTensor& gates, const CellState& state,
                           const CellWeights& weights) {
    return plainCell(with, gates, state, weights, "aten.tanh.default");
}

Result<CellState> reluCell(const Arithmetic& with, const ReferenceTensor& gates, const CellState& state,
                           const CellWeights& weights) {
    return plainCell(with, gates, state, weights, "aten.relu.default");
}

/// Arguments shared by these operators: input hx params has_biases num_layers dropout train bidirectional
/// batch_first.
class Recurrent {
  public:
    Recurrent(Calls& calls, Arguments given, ScalarType dtype, Cell computing)
        : with(calls, dtype), arguments(given), cell(computing) {}

    Composed run();

  private:
    Result<> read();
    [[nodiscard]] Result<CellWeights> weightsOf(std::size_t which) const;
    Result<Tensors> runDirection(const ReferenceTensor& input, std::size_t which, bool backwards);
    Result<> runLayer(std::size_t layer);

    Arithmetic with;
    Arguments arguments;
    Cell cell;
    ReferenceTensor sequence;  ///< [steps, batch, features], output of the previous layer
    Tensors states;            ///< hidden and cell states: [layers * directions, batch, size]
    Tensors params;
    std::size_t layers = 0;
    std::size_t directions = 1;
    bool hasBiases = false;
    bool isBatchFirst = false;
    bool isUnbatched = false;
    Tensors lastHidden;
    Tensors lastCells;
};

Result<> Recurrent::read() {
    ET_ASSIGN(sequence, tensorOf(arguments[0]));
    ET_ASSIGN(states, tensorsOf(arguments[1]));
    ET_ASSIGN(params, tensorsOf(arguments[2]));
    hasBiases = isTrue(arguments[3]);
    ET_ASSIGN(const std::int64_t count, integerOf(arguments[4]));
    ET_ASSIGN(const double dropout, numberOf(arguments[5]));
    if (isTrue(arguments[6]) && dropout > 0) {
        return core::fail(ErrorCode::Unsupported, "dropout in training mode uses PyTorch's random numbers");
    }
    directions = isTrue(arguments[7]) ? 2 : 1;
    isBatchFirst = isTrue(arguments[8]);
    isUnbatched = sequence.view.dim() == 2;
    if (isUnbatched) {
        ET_ASSIGN(sequence, with.reshaped("aten.unsqueeze_copy.default", sequence, {1}));
        for (ReferenceTensor& each : states) {
            ET_ASSIGN(each, with.reshaped("aten.unsqueeze_copy.default", each, {1}));
        }
    } else if (isBatchFirst) {
        ET_ASSIGN(sequence, with.reshaped("aten.transpose_copy.int", sequence, {0, 1}));
    }
    const bool isRank3 = std::ranges::all_of(states, [](const auto& each) { return each.view.dim() == 3; });
    if (sequence.view.dim() != 3 || states.size() != (cell == lstmCell ? 2U : 1U) || !isRank3 || count < 1 ||
        std::cmp_greater(count, params.size())) {
        return core::fail(
            ErrorCode::InvalidArgument,
            "expected an input of 2 or 3 dimensions, its states, and the weights of each layer");
    }
    layers = static_cast<std::size_t>(count);
    return {};
}

Result<CellWeights> Recurrent::weightsOf(std::size_t which) const {
    const std::size_t each = params.size() / (layers * directions);
    const std::size_t plain = hasBiases ? 4 : 2;
    const bool isProjected = cell == lstmCell && each == plain + 1;
    if (params.size() != each * layers * directions || (each != plain && !isProjected)) {
        return core::fail(ErrorCode::InvalidArgument, "wrong number of weights for its layers");
    }
    const ReferenceTensor* first = &params[which * each];
    CellWeights weights{.input = first, .hidden = first + 1};
    if (hasBiases) {
        weights.inputBias = first + 2;
        weights.hiddenBias = first + 3;
    }
    weights.projection = isProjected ? first + plain : nullptr;
    return weights;
}

/// Returns the hidden state after each step, in the order of the input.
Result<Tensors> Recurrent::runDirection(const ReferenceTensor& input, std::size_t which, bool backwards) {
    ET_ASSIGN(const CellWeights weights, weightsOf(which));
    ET_ASSIGN(const auto gates, with.linear(input, *weights.input, weights.inputBias));
    CellState state;
    ET_ASSIGN(state.hidden, with.select(states[0], 0, static_cast<std::int64_t>(which)));
    if (states.size() > 1) {
        ET_ASSIGN(state.cell, with.select(states[1], 0, static_cast<std::int64_t>(which)));
    }
    const std::int64_t steps = input.view.sizes()[0];
    Tensors made(static_cast<std::size_t>(steps));
    for (std::int64_t i = 0; i < steps; ++i) {
        const std::int64_t step = backwards ? steps - 1 - i : i;
        ET_ASSIGN(const auto given, with.select(gates, 0, step));
        ET_ASSIGN(state, cell(with, given, state, weights));
        made[static_cast<std::size_t>(step)] = state.hidden;
    }
    lastHidden.push_back(state.hidden);
    if (state.cell) {
        lastCells.push_back(*state.cell);
    }
    return made;
}

Result<> Recurrent::runLayer(std::size_t layer) {
    const ReferenceTensor input = sequence;
    Tensors sides;
    for (std::size_t direction = 0; direction < directions; ++direction) {
        ET_ASSIGN(const Tensors made, runDirection(input, layer * directions + direction, direction == 1));
        ET_ASSIGN(ReferenceTensor side, with.join("aten.stack.default", made, 0));
        sides.push_back(std::move(side));
    }
    ET_ASSIGN(sequence, with.join("aten.cat.default", sides, 2));
    return {};
}

Composed Recurrent::run() {
    ET_TRY(read());
    for (std::size_t layer = 0; layer < layers; ++layer) {
        ET_TRY(runLayer(layer));
    }
    Tensors results{sequence};
    if (isBatchFirst && !isUnbatched) {
        ET_ASSIGN(results.front(), with.reshaped("aten.transpose_copy.int", sequence, {0, 1}));
    }
    for (const Tensors* each : {&lastHidden, &lastCells}) {
        if (!each->empty()) {
            ET_ASSIGN(ReferenceTensor state, with.join("aten.stack.default", *each, 0));
            results.push_back(std::move(state));
        }
    }
    for (ReferenceTensor& each : results) {
        if (isUnbatched) {
            ET_ASSIGN(each, with.reshaped("aten.squeeze_copy.dim", each, {1}));
        }
    }
    return std::vector<ReferenceValue>(results.begin(), results.end());
}

template <Cell cell>
Composed recurrent(Calls& calls, Arguments arguments, Kinds results) {
    return Recurrent(calls, arguments, resultTypeOf(results, arguments), cell).run();
}

/// One step of one layer (torch.nn.LSTMCell and similar): input hx w_ih w_hh b_ih b_hh.
template <Cell cell>
Composed singleStep(Calls& calls, Arguments arguments, Kinds results) {
    const Arithmetic with(calls, resultTypeOf(results, arguments));
    ET_ASSIGN(const auto input, tensorOf(arguments[0]));
    ET_ASSIGN(const Tensors states, tensorsOf(arguments[1]));
    if (states.size() != (cell == lstmCell ? 2U : 1U)) {
        return core::fail(ErrorCode::InvalidArgument, "expected its states");
    }
    std::array<std::optional<ReferenceTensor>, 4> given;
    for (std::size_t i = 0; i < given.size(); ++i) {
        if (const auto* tensor = arguments[i + 2].as<ReferenceTensor>()) {
            given[i] = *tensor;
        }
    }
    if (!given[0] || !given[1]) {
        return core::fail(ErrorCode::InvalidArgument, "expected weights");
    }
    const auto orNull = [&](std::size_t i) { return given[i] ? &*given[i] : nullptr; };
    const CellWeights weights{
        .input = orNull(0), .hidden = orNull(1), .inputBias = orNull(2), .hiddenBias = orNull(3)};
    CellState state{.hidden = states[0], .cell = {}};
    if (states.size() > 1) {
        state.cell = states[1];
    }
    ET_ASSIGN(const auto gates, with.linear(input, *weights.input, weights.inputBias));
    ET_ASSIGN(state, cell(with, gates, state, weights));
    std::vector<ReferenceValue> made{{state.hidden}};
    if (state.cell) {
        made.push_back({*state.cell});
    }
    return made;
}

constexpr std::string_view cellArguments = "input hx w_ih w_hh b_ih=None b_hh=None -> same same";
constexpr std::string_view lstmArguments =
    "input hx params has_biases num_layers dropout train bidirectional batch_first -> same same same";
constexpr std::string_view stateArguments =
    "input hx params has_biases num_layers dropout train bidirectional batch_first -> same same";

constexpr Operator composedRecurrentRows[] = {
    {"aten.lstm.input", lstmArguments, "", recurrent<lstmCell>},
    {"aten.gru.input", stateArguments, "", recurrent<gruCell>},
    {"aten.rnn_tanh.input", stateArguments, "", recurrent<tanhCell>},
    {"aten.rnn_relu.input", stateArguments, "", recurrent<reluCell>},
    {"aten.lstm_cell.default", cellArguments, "", singleStep<lstmCell>},
    {"aten.gru_cell.default", cellArguments, "", singleStep<gruCell>},
    {"aten.rnn_tanh_cell.default", cellArguments, "", singleStep<tanhCell>},
    {"aten.rnn_relu_cell.default", cellArguments, "", singleStep<reluCell>},
};

}  // namespace

std::span<const Operator> composedRecurrent() {
    return composedRecurrentRows;
}

}  // namespace et::backends::reference
