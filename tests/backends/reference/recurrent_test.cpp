// Tests of recurrent layers against their definitions, computed elementwise:
// https://docs.pytorch.org/docs/stable/generated/torch.nn.LSTM.html, .GRU.html and .RNN.html

#include "backends/reference/calls.h"
#include "backends/reference/composing.h"
#include "runtime/kernels/builtin.h"
#include "tests/backends/reference/recurrent_steps.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string_view>
#include <vector>

namespace et::backends::reference {
namespace {

using core::ScalarType;
/// A layer with random weights, and its expected results.
class Layer {
  public:
    explicit Layer(const Layout& of) : layout(of), batch(of.isUnbatched ? 1 : 2) {
        input = drawn(steps * batch * features);
        const std::size_t shown = shownSize();
        const std::size_t count = layout.layers * layout.directions;
        hidden = drawn(count * batch * shown);
        cells = drawn(count * batch * hiddenSize);
        const std::size_t rows = gatesOf(layout.kind) * hiddenSize;
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t width = i < layout.directions ? features : shown * layout.directions;
            CellWeights each{.input = matrix(rows, width),
                             .hidden = matrix(rows, shown),
                             .inputBias = {},
                             .hiddenBias = {},
                             .projection = {}};
            if (layout.hasBiases) {
                each.inputBias = drawn(rows);
                each.hiddenBias = drawn(rows);
            }
            if (layout.projection > 0) {
                each.projection = matrix(shown, hiddenSize);
            }
            weights.push_back(std::move(each));
        }
    }

    [[nodiscard]] std::vector<ReferenceValue> arguments() const;
    /// The output in the operator's order, the last hidden states, the last cells.
    [[nodiscard]] std::vector<Numbers> expected() const;
    /// For the first layer's cell, on the first step only.
    [[nodiscard]] std::vector<ReferenceValue> cellArguments() const;
    [[nodiscard]] std::vector<Numbers> expectedOfCell() const;

  private:
    [[nodiscard]] std::size_t shownSize() const {
        return layout.projection > 0 ? layout.projection : hiddenSize;
    }
    Numbers drawn(std::size_t count) {
        Numbers numbers(count);
        std::ranges::generate(numbers, [&] { return static_cast<double>(random() >> 11U) * 0x1p-52 - 1; });
        return numbers;
    }
    Matrix matrix(std::size_t rows, std::size_t columns) {
        return {.rows = rows, .columns = columns, .numbers = drawn(rows * columns)};
    }
    /// Returns the offset of an item of the sequence.
    [[nodiscard]] std::size_t place(std::size_t step, std::size_t item, std::size_t width) const {
        return (layout.isBatchFirst ? item * steps + step : step * batch + item) * width;
    }

    Layout layout;
    std::size_t batch;
    std::mt19937_64 random{7};
    Numbers input;
    Numbers hidden;
    Numbers cells;
    std::vector<CellWeights> weights;
};

ReferenceValue tensor(const Numbers& numbers, const Sizes& sizes) {
    auto kept = std::make_shared<Numbers>(numbers);
    return {ReferenceTensor{.view = core::Tensor::over(kept->data(), sizes), .owner = kept}};
}

ReferenceValue tensor(const Matrix& matrix) {
    return tensor(matrix.numbers,
                  {static_cast<std::int64_t>(matrix.rows), static_cast<std::int64_t>(matrix.columns)});
}

std::vector<ReferenceValue> Layer::arguments() const {
    const auto n = static_cast<std::int64_t>(batch);
    const auto count = static_cast<std::int64_t>(layout.layers * layout.directions);
    const auto stateSizes = [&](std::size_t width) {
        const auto last = static_cast<std::int64_t>(width);
        return layout.isUnbatched ? Sizes{count, last} : Sizes{count, n, last};
    };
    Sizes sizes{steps, n, features};
    if (layout.isUnbatched) {
        sizes = {steps, features};
    } else if (layout.isBatchFirst) {
        sizes = {n, steps, features};
    }
    ReferenceValue state = tensor(hidden, stateSizes(shownSize()));
    if (layout.kind == Kind::Lstm) {
        state = {ReferenceValue::List{state, tensor(cells, stateSizes(hiddenSize))}};
    }
    ReferenceValue::List params;
    for (const CellWeights& each : weights) {
        params.push_back(tensor(each.input));
        params.push_back(tensor(each.hidden));
        for (const Numbers* bias : {&each.inputBias, &each.hiddenBias}) {
            if (layout.hasBiases) {
                params.push_back(tensor(*bias, {static_cast<std::int64_t>(bias->size())}));
            }
        }
        if (layout.projection > 0) {
            params.push_back(tensor(each.projection));
        }
    }
    return {tensor(input, sizes),
            state,
            {std::move(params)},
            {layout.hasBiases},
            {static_cast<std::int64_t>(layout.layers)},
            {0.25},
            {false},
            {layout.directions == 2},
            {layout.isBatchFirst}};
}

std::vector<Numbers> Layer::expected() const {
    const std::size_t shown = shownSize();
    Numbers sequence = input;
    std::size_t width = features;
    std::vector<Numbers> last(layout.kind == Kind::Lstm ? 2 : 1);
    for (std::size_t layer = 0; layer < layout.layers; ++layer) {
        const std::size_t wide = shown * layout.directions;
        Numbers next(steps * batch * wide);
        for (std::size_t direction = 0; direction < layout.directions; ++direction) {
            const std::size_t which = layer * layout.directions + direction;
            for (std::size_t item = 0; item < batch; ++item) {
                const auto part = [&](const Numbers& of, std::size_t size) {
                    const auto from = of.begin() + static_cast<std::ptrdiff_t>((which * batch + item) * size);
                    return Numbers(from, from + static_cast<std::ptrdiff_t>(size));
                };
                State state{.hidden = part(hidden, shown), .cell = part(cells, hiddenSize)};
                for (std::size_t i = 0; i < steps; ++i) {
                    const std::size_t step = direction == 0 ? i : steps - 1 - i;
                    const auto from =
                        sequence.begin() + static_cast<std::ptrdiff_t>(place(step, item, width));
                    const Numbers x(from, from + static_cast<std::ptrdiff_t>(width));
                    state = stepOf(layout.kind, weights[which], state, x);
                    std::ranges::copy(state.hidden,
                                      next.begin() + static_cast<std::ptrdiff_t>(place(step, item, wide) +
                                                                                 direction * shown));
                }
                last[0].insert(last[0].end(), state.hidden.begin(), state.hidden.end());
                if (last.size() > 1) {
                    last[1].insert(last[1].end(), state.cell.begin(), state.cell.end());
                }
            }
        }
        sequence = std::move(next);
        width = wide;
    }
    std::vector<Numbers> all{sequence};
    std::ranges::move(last, std::back_inserter(all));
    return all;
}

std::vector<ReferenceValue> Layer::cellArguments() const {
    const auto n = static_cast<std::int64_t>(batch);
    const CellWeights& own = weights.front();
    const auto bias = [](const Numbers& numbers) {
        return tensor(numbers, {static_cast<std::int64_t>(numbers.size())});
    };
    ReferenceValue state = tensor(hidden, {n, hiddenSize});
    if (layout.kind == Kind::Lstm) {
        state = {ReferenceValue::List{state, tensor(cells, {n, hiddenSize})}};
    }
    const Numbers first(input.begin(), input.begin() + n * static_cast<std::int64_t>(features));
    return {tensor(first, {n, features}), state, tensor(own.input), tensor(own.hidden), bias(own.inputBias),
            bias(own.hiddenBias)};
}

std::vector<Numbers> Layer::expectedOfCell() const {
    std::vector<Numbers> all(layout.kind == Kind::Lstm ? 2 : 1);
    for (std::size_t item = 0; item < batch; ++item) {
        const auto part = [&](const Numbers& of, std::size_t size) {
            const auto from = of.begin() + static_cast<std::ptrdiff_t>(item * size);
            return Numbers(from, from + static_cast<std::ptrdiff_t>(size));
        };
        const State before{.hidden = part(hidden, hiddenSize), .cell = part(cells, hiddenSize)};
        const State after = stepOf(layout.kind, weights.front(), before, part(input, features));
        all[0].insert(all[0].end(), after.hidden.begin(), after.hidden.end());
        if (all.size() > 1) {
            all[1].insert(all[1].end(), after.cell.begin(), after.cell.end());
        }
    }
    return all;
}

std::string_view cellOf(Kind kind) {
    switch (kind) {
        case Kind::Lstm:
            return "aten.lstm_cell.default";
        case Kind::Gru:
            return "aten.gru_cell.default";
        case Kind::Tanh:
            return "aten.rnn_tanh_cell.default";
        default:
            return "aten.rnn_relu_cell.default";
    }
}

std::string_view operatorOf(Kind kind) {
    switch (kind) {
        case Kind::Lstm:
            return "aten.lstm.input";
        case Kind::Gru:
            return "aten.gru.input";
        case Kind::Tanh:
            return "aten.rnn_tanh.input";
        default:
            return "aten.rnn_relu.input";
    }
}

struct WithCalls {
    kernels::ThreadPool threads;
    Calls calls{InterpreterOptions{.kernels = kernels::builtin(), .threads = threads}};
};

std::vector<ResultKind> doubles(std::size_t count) {
    return std::vector<ResultKind>(
        count, ResultKind{.kind = ResultKind::Kind::Tensor, .dtypes = {ScalarType::Double}});
}

void expectNumbers(const ReferenceValue& value, const Numbers& expected) {
    const auto* result = value.as<ReferenceTensor>();
    ASSERT_NE(result, nullptr);
    const auto* first = result->view.data<double>();
    const Numbers numbers(first, first + result->view.numel());
    EXPECT_THAT(numbers, testing::Pointwise(testing::DoubleNear(1e-12), expected));
}

class RecurrentTest : public WithCalls, public testing::TestWithParam<Layout> {};

TEST_P(RecurrentTest, IsItsDefinition) {
    const Layer layer(GetParam());
    const std::vector<Numbers> expected = layer.expected();
    const auto made = calls.several(operatorOf(GetParam().kind), layer.arguments(), doubles(expected.size()));
    ASSERT_TRUE(made) << made.error().toString();
    ASSERT_EQ(made->size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        expectNumbers((*made)[i], expected[i]);
        EXPECT_EQ((*made)[i].as<ReferenceTensor>()->view.dim(), GetParam().isUnbatched ? 2U : 3U);
    }
}

constexpr Layout layouts[] = {
    {.kind = Kind::Lstm},
    {.kind = Kind::Lstm, .layers = 2, .isBatchFirst = true},
    {.kind = Kind::Lstm, .layers = 2, .directions = 2},
    {.kind = Kind::Lstm, .projection = 2, .hasBiases = false},
    {.kind = Kind::Lstm, .layers = 2, .directions = 2, .projection = 3, .isBatchFirst = true},
    {.kind = Kind::Lstm, .hasBiases = false, .isUnbatched = true},
    {.kind = Kind::Gru},
    {.kind = Kind::Gru, .layers = 3, .directions = 2, .isBatchFirst = true},
    {.kind = Kind::Gru, .hasBiases = false},
    {.kind = Kind::Gru, .directions = 2, .isUnbatched = true},
    {.kind = Kind::Tanh, .layers = 2, .directions = 2},
    {.kind = Kind::Relu, .isBatchFirst = true},
};

INSTANTIATE_TEST_SUITE_P(Layouts, RecurrentTest, testing::ValuesIn(layouts));

class CellTest : public WithCalls, public testing::TestWithParam<Kind> {};

TEST_P(CellTest, IsOneStep) {
    const Layer layer({.kind = GetParam()});
    const std::vector<Numbers> expected = layer.expectedOfCell();
    const auto made = calls.several(cellOf(GetParam()), layer.cellArguments(), doubles(expected.size()));
    ASSERT_TRUE(made) << made.error().toString();
    for (std::size_t i = 0; i < expected.size(); ++i) {
        expectNumbers((*made)[i], expected[i]);
    }
}

INSTANTIATE_TEST_SUITE_P(Cells, CellTest, testing::Values(Kind::Lstm, Kind::Gru, Kind::Tanh, Kind::Relu));

class RecurrentRefusal : public WithCalls, public testing::Test {};

TEST_F(RecurrentRefusal, WrongWeightsAreRefused) {
    std::vector<ReferenceValue> arguments = Layer({.kind = Kind::Gru}).arguments();
    const std::vector<ResultKind> kinds = doubles(2);
    const auto refuses = [&](std::size_t which, ReferenceValue value) {
        std::vector<ReferenceValue> changed = arguments;
        changed[which] = std::move(value);
        return !calls.several("aten.gru.input", changed, kinds).has_value();
    };
    EXPECT_TRUE(refuses(2, {ReferenceValue::List{}})) << "no weights";
    EXPECT_TRUE(refuses(3, {false})) << "biases that it says it has not";
    EXPECT_TRUE(refuses(4, {std::int64_t{0}})) << "no layers";
    EXPECT_TRUE(refuses(4, {std::int64_t{1} << 62})) << "more layers than weights";
    EXPECT_TRUE(refuses(6, {true})) << "dropout in training";
    EXPECT_TRUE(refuses(7, {true})) << "weights of one direction only";
    EXPECT_TRUE(refuses(0, tensor({1, 2, 3}, {3}))) << "no steps";
    std::vector<ReferenceValue> lstm = Layer({.kind = Kind::Lstm}).arguments();
    lstm[1] = lstm[1].as<ReferenceValue::List>()->front();
    EXPECT_FALSE(calls.several("aten.lstm.input", lstm, kinds)) << "no cells";
}

}  // namespace
}  // namespace et::backends::reference
