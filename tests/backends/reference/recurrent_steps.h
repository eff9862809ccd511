#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

// One step of a recurrent layer, computed elementwise:
// https://docs.pytorch.org/docs/stable/generated/torch.nn.LSTM.html, .GRU.html and .RNN.html
namespace et::backends::reference {

using Numbers = std::vector<double>;
using Sizes = std::vector<std::int64_t>;

enum class Kind : std::uint8_t { Lstm, Gru, Tanh, Relu };

struct Layout {
    Kind kind;
    std::size_t layers = 1;
    std::size_t directions = 1;
    std::size_t projection = 0;  ///< 0: none
    bool hasBiases = true;
    bool isBatchFirst = false;
    bool isUnbatched = false;
};

constexpr std::size_t steps = 4;
constexpr std::size_t features = 3;
constexpr std::size_t hiddenSize = 5;

inline std::size_t gatesOf(Kind kind) {
    return kind == Kind::Lstm ? 4 : kind == Kind::Gru ? 3 : 1;
}

inline double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

/// Row-major elements and their sizes.
struct Matrix {
    std::size_t rows = 0;
    std::size_t columns = 0;
    Numbers numbers;
    [[nodiscard]] double at(std::size_t row, std::size_t column) const {
        return numbers[row * columns + column];
    }
    [[nodiscard]] double product(std::size_t row, const Numbers& vector) const {
        double sum = 0;
        for (std::size_t i = 0; i < columns; ++i) {
            sum += at(row, i) * vector[i];
        }
        return sum;
    }
};

/// CellWeights of one layer in one direction.
struct CellWeights {
    Matrix input;
    Matrix hidden;
    Numbers inputBias;
    Numbers hiddenBias;
    Matrix projection;
};

struct State {
    Numbers hidden;
    Numbers cell;
};

inline Numbers applied(const Matrix& weights, const Numbers& bias, const Numbers& vector) {
    Numbers made(weights.rows);
    for (std::size_t i = 0; i < weights.rows; ++i) {
        made[i] = weights.product(i, vector) + (bias.empty() ? 0 : bias[i]);
    }
    return made;
}

/// i, f, g, o: c' = f c + i g, h' = o tanh(c')
inline State lstmStep(const CellWeights& weights, const State& state, const Numbers& x) {
    const Numbers a = applied(weights.input, weights.inputBias, x);
    const Numbers b = applied(weights.hidden, weights.hiddenBias, state.hidden);
    State next{.hidden = Numbers(hiddenSize), .cell = Numbers(hiddenSize)};
    for (std::size_t i = 0; i < hiddenSize; ++i) {
        const auto sum = [&](std::size_t gate) {
            return a[gate * hiddenSize + i] + b[gate * hiddenSize + i];
        };
        next.cell[i] = sigmoid(sum(1)) * state.cell[i] + sigmoid(sum(0)) * std::tanh(sum(2));
        next.hidden[i] = sigmoid(sum(3)) * std::tanh(next.cell[i]);
    }
    if (weights.projection.rows > 0) {
        next.hidden = applied(weights.projection, {}, next.hidden);
    }
    return next;
}

/// r, z, n: n = tanh(W x + r (U h + b)), h' = (1 - z) n + z h
inline State gruStep(const CellWeights& weights, const State& state, const Numbers& x) {
    const Numbers a = applied(weights.input, weights.inputBias, x);
    const Numbers b = applied(weights.hidden, weights.hiddenBias, state.hidden);
    State next{.hidden = Numbers(hiddenSize), .cell = {}};
    for (std::size_t i = 0; i < hiddenSize; ++i) {
        const double r = sigmoid(a[i] + b[i]);
        const double z = sigmoid(a[hiddenSize + i] + b[hiddenSize + i]);
        const double n = std::tanh(a[2 * hiddenSize + i] + r * b[2 * hiddenSize + i]);
        next.hidden[i] = (1 - z) * n + z * state.hidden[i];
    }
    return next;
}

inline State plainStep(const CellWeights& weights, const State& state, const Numbers& x, bool isTanh) {
    const Numbers a = applied(weights.input, weights.inputBias, x);
    const Numbers b = applied(weights.hidden, weights.hiddenBias, state.hidden);
    State next{.hidden = Numbers(hiddenSize), .cell = {}};
    for (std::size_t i = 0; i < hiddenSize; ++i) {
        next.hidden[i] = isTanh ? std::tanh(a[i] + b[i]) : std::max(a[i] + b[i], 0.0);
    }
    return next;
}

inline State stepOf(Kind kind, const CellWeights& weights, const State& state, const Numbers& x) {
    switch (kind) {
        case Kind::Lstm:
            return lstmStep(weights, state, x);
        case Kind::Gru:
            return gruStep(weights, state, x);
        default:
            return plainStep(weights, state, x, kind == Kind::Tanh);
    }
}

}  // namespace et::backends::reference
