#include "runtime/kernels/torchao/experts.h"

#include "runtime/kernels/llama/attention_simd.h"
#include "runtime/kernels/tensor_checks.h"
#include "runtime/kernels/torchao/linear.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

namespace et::kernels::torchao {
namespace {

core::Result<> checkNumbers(const Experts& experts) {
    if (experts.scoring != "sigmoid" && experts.scoring != "softmax") {
        return invalid(fmt::format("score_func: expected sigmoid or softmax, got \"{}\"", experts.scoring));
    }
    if (experts.bits != 4 && experts.bits != 8) {
        return invalid(fmt::format("weight_nbit: expected 4 or 8, got {}", experts.bits));
    }
    if (experts.chosen < 1 || experts.chosen > experts.count) {
        return invalid(
            fmt::format("num_activated_experts: expected 1 to {}, got {}", experts.count, experts.chosen));
    }
    // Products of these are sizes of tensors.
    constexpr std::int64_t most = std::int64_t{1} << 31U;
    if (experts.hidden < 1 || experts.hidden > most) {
        return invalid(fmt::format("hidden_dim: expected 1 to {}, got {}", most, experts.hidden));
    }
    if (experts.dim < 1 || experts.dim > most) {
        return invalid(fmt::format("dim: expected 1 to {}, got {}", most, experts.dim));
    }
    return {};
}

core::Result<> checkTensors(const Experts& experts) {
    ET_TRY(expectRank("x", experts.x, ScalarType::Float, 2));
    ET_TRY(expectTensor("x", experts.x, ScalarType::Float, {experts.x.size(0), experts.dim}));
    ET_TRY(expectTensor("gate_weight", experts.gateWeight, ScalarType::Float, {experts.count, experts.dim}));
    if (experts.expertBias.numel() > 0) {
        ET_TRY(expectTensor("expert_bias", experts.expertBias, ScalarType::Float, {experts.count}));
        if (experts.scoring == "softmax") {
            return invalid("expert_bias: expected an empty tensor with softmax");
        }
    }
    ET_TRY(expectRank("packed_w13", experts.packedUp, ScalarType::Byte, 2));
    ET_TRY(expectTensor("packed_w13", experts.packedUp, ScalarType::Byte,
                        {experts.count, experts.packedUp.size(1)}));
    ET_TRY(expectRank("packed_w2", experts.packedDown, ScalarType::Byte, 2));
    return expectTensor("packed_w2", experts.packedDown, ScalarType::Byte,
                        {experts.count, experts.packedDown.size(1)});
}

/// An expert that a token chose, and the weight of its result.
struct Choice {
    std::uint32_t expert;
    float weight;
};

float sigmoid(float number) {
    return 1 / (1 + std::exp(-number));
}

/// Chooses experts for a token by its scores, and computes their weights.
class Router {
  public:
    explicit Router(const Experts& experts)
        : of(experts),
          isSigmoid(experts.scoring == "sigmoid"),
          ranks(static_cast<std::size_t>(experts.count)) {}

    /// `scores`: products with the router's weights. Sorts the choices by expert.
    void choose(std::span<float> scores, std::span<Choice> choices) {
        if (isSigmoid) {
            std::ranges::transform(scores, scores.begin(), sigmoid);
        }
        order(scores, choices.size());
        for (std::size_t i = 0; i < choices.size(); ++i) {
            choices[i] = {.expert = ranks[i], .weight = scores[ranks[i]]};
        }
        if (isSigmoid) {
            normalize(choices);
        } else {
            softmax(choices);
        }
        std::ranges::sort(choices, {}, &Choice::expert);
    }

  private:
    /// Puts the `chosen` best experts first; among equals, those with lower numbers. NaN is the lowest score.
    void order(std::span<const float> scores, std::size_t chosen) {
        const float* const bias = of.expertBias.numel() > 0 ? of.expertBias.data<float>() : nullptr;
        const auto rank = [&](std::uint32_t expert) {
            const float score = scores[expert] + (bias == nullptr ? 0 : bias[expert]);
            return std::isnan(score) ? -std::numeric_limits<float>::infinity() : score;
        };
        std::iota(ranks.begin(), ranks.end(), 0U);
        std::ranges::partial_sort(ranks, ranks.begin() + static_cast<std::ptrdiff_t>(chosen),
                                  [&](std::uint32_t left, std::uint32_t right) {
                                      const float first = rank(left);
                                      const float second = rank(right);
                                      return first != second ? first > second : left < right;
                                  });
    }

    void normalize(std::span<Choice> choices) const {
        float sum = 0;
        for (const Choice& choice : choices) {
            sum += choice.weight;
        }
        const float factor =
            static_cast<float>(of.routeScale) / std::max(sum, std::numeric_limits<float>::min());
        for (Choice& choice : choices) {
            choice.weight *= factor;
        }
    }

    static void softmax(std::span<Choice> choices) {
        const float largest = std::ranges::max(choices, {}, &Choice::weight).weight;
        float sum = 0;
        for (Choice& choice : choices) {
            choice.weight = std::exp(choice.weight - largest);
            sum += choice.weight;
        }
        for (Choice& choice : choices) {
            choice.weight /= sum;
        }
    }

    const Experts& of;
    bool isSigmoid;
    std::vector<std::uint32_t> ranks;
};

/// The choices of all tokens, and rows of temporary results ordered by expert.
struct Plan {
    std::span<Choice> choices;          ///< [tokens, chosen]
    std::span<std::uint32_t> rows;      ///< likewise: row of the choice
    std::span<std::uint32_t> firstRow;  ///< of each expert, and the number of rows
};

core::Result<Plan> planExperts(KernelContext& context, const Experts& experts) {
    const auto tokens = static_cast<std::size_t>(experts.x.size(0));
    const auto count = static_cast<std::size_t>(experts.count);
    const auto chosen = static_cast<std::size_t>(experts.chosen);
    const auto dim = static_cast<std::size_t>(experts.dim);
    Plan plan;
    ET_ASSIGN(plan.choices, context.scratch<Choice>(tokens * chosen));
    ET_ASSIGN(plan.rows, context.scratch<std::uint32_t>(tokens * chosen));
    ET_ASSIGN(plan.firstRow, context.scratch<std::uint32_t>(count + 1));
    ET_ASSIGN(const auto scores, context.scratch<float>(count * tokens));
    context.threads().parallelFor(tokens, 1, [&](std::size_t begin, std::size_t end) {
        Router router(experts);
        for (std::size_t t = begin; t < end; ++t) {
            const auto row = scores.subspan(t * count, count);
            llama::score(experts.x.data<float>() + t * dim, experts.gateWeight.data<float>(),
                         static_cast<std::ptrdiff_t>(dim), count, dim, row.data());
            router.choose(row, plan.choices.subspan(t * chosen, chosen));
        }
    });
    std::ranges::fill(plan.firstRow, 0U);
    for (const Choice& choice : plan.choices) {
        ++plan.firstRow[choice.expert + 1];
    }
    std::partial_sum(plan.firstRow.begin(), plan.firstRow.end(), plan.firstRow.begin());
    std::vector<std::uint32_t> next(plan.firstRow.begin(), plan.firstRow.end());
    std::ranges::transform(plan.choices, plan.rows.begin(),
                           [&](const Choice& choice) { return next[choice.expert]++; });
    return plan;
}

/// Multiplies the rows of each chosen expert by its weights.
core::Result<> multiplyAll(KernelContext& context, const Plan& plan, std::string_view name,
                           const Tensor& packed, const PackedShape& shape, const float* rows, float* to) {
    std::vector<FloatProduct> products;
    for (std::size_t expert = 0; expert + 1 < plan.firstRow.size(); ++expert) {
        const std::size_t first = plan.firstRow[expert];
        const std::size_t count = plan.firstRow[expert + 1] - first;
        if (count == 0) {
            continue;
        }
        const auto bytes = static_cast<std::size_t>(packed.size(1));
        ET_ASSIGN(const PackedWeights weights,
                  PackedWeights::read(name, packed.rawBytes().subspan(expert * bytes, bytes), shape));
        products.push_back({.weights = weights,
                            .rows = {.rows = rows + first * static_cast<std::size_t>(shape.depth),
                                     .count = count,
                                     .to = to + first * static_cast<std::size_t>(shape.outputs)}});
    }
    return multiplyFloats(context, products);
}

/// silu(first half) * second half of each row.
void gate(KernelContext& context, std::span<const float> both, std::size_t hidden, std::span<float> to) {
    context.threads().parallelFor(to.size() / hidden, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t row = begin; row < end; ++row) {
            const float* const from = both.data() + row * 2 * hidden;
            for (std::size_t i = 0; i < hidden; ++i) {
                to[row * hidden + i] = from[i] * sigmoid(from[i]) * from[hidden + i];
            }
        }
    });
}

}  // namespace

core::Result<> runExperts(KernelContext& context, const Experts& experts, Tensor& out) {
    ET_TRY(checkNumbers(experts));
    ET_TRY(checkTensors(experts));
    ET_TRY(resizeResult(out, ScalarType::Float, {experts.x.size(0), experts.dim}));
    const auto dim = static_cast<std::size_t>(experts.dim);
    const auto hidden = static_cast<std::size_t>(experts.hidden);
    const auto chosen = static_cast<std::size_t>(experts.chosen);
    const auto tokens = static_cast<std::size_t>(experts.x.size(0));
    ET_ASSIGN(const Plan plan, planExperts(context, experts));
    const std::size_t rows = plan.choices.size();
    ET_ASSIGN(const auto inputs, context.scratch<float>(rows * dim));
    for (std::size_t i = 0; i < rows; ++i) {
        std::memcpy(inputs.data() + plan.rows[i] * dim, experts.x.data<float>() + i / chosen * dim,
                    dim * sizeof(float));
    }
    PackedShape shape{.outputs = 2 * experts.hidden,
                      .depth = experts.dim,
                      .group = experts.groupSize,
                      .bits = static_cast<int>(experts.bits)};
    ET_ASSIGN(const auto both, context.scratch<float>(rows * 2 * hidden));
    ET_TRY(multiplyAll(context, plan, "packed_w13", experts.packedUp, shape, inputs.data(), both.data()));
    ET_ASSIGN(const auto gated, context.scratch<float>(rows * hidden));
    gate(context, both, hidden, gated);
    shape.outputs = experts.dim;
    shape.depth = experts.hidden;
    ET_ASSIGN(const auto results, context.scratch<float>(rows * dim));
    ET_TRY(multiplyAll(context, plan, "packed_w2", experts.packedDown, shape, gated.data(), results.data()));
    context.threads().parallelFor(tokens, 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t t = begin; t < end; ++t) {
            float* const to = out.mutableData<float>() + t * dim;
            std::fill_n(to, dim, 0.0F);
            for (std::size_t i = t * chosen; i < (t + 1) * chosen; ++i) {
                const float* const from = results.data() + plan.rows[i] * dim;
                for (std::size_t d = 0; d < dim; ++d) {
                    to[d] += plan.choices[i].weight * from[d];
                }
            }
        }
    });
    return {};
}

}  // namespace et::kernels::torchao
