#pragma once

#include "app/samples/llama.h"
#include "app/samples/llama_graph.h"
#include "app/samples/random.h"
#include "app/samples/word_tokenizer.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace et::samples {

/// Builds a Llama, module by module.
class LlamaBuilder {
  public:
    LlamaBuilder(StatefulGraph& into, const LlamaShape& shape)
        : graph(into),
          dim(shape.dim),
          heads(shape.heads),
          headDim(shape.dim / shape.heads),
          hidden(shape.hidden),
          layers(shape.layers),
          context(shape.context),
          vocabulary(shape.vocabulary) {}

    /// forward(tokens [1, 1], input_pos [1]).
    void run() {
        const GraphTensor tokens = graph.input("tokens", {1, 1});
        const GraphTensor position = graph.input("input_pos", {1});
        setPosition(position);
        decode(embedded(tokens));
    }
    /// text_decoder(embeddings [1, 1, D], input_pos [1]).
    void runOnEmbeddings() {
        const GraphTensor embeddings = graph.input("embeddings", {1, 1, dim}, core::ScalarType::Float);
        setPosition(graph.input("input_pos", {1}));
        decode(graph.view(embeddings, {1, dim}));
    }
    /// token_embedding(tokens [1, 1]).
    void runEmbedding() { graph.output(graph.view(embedded(graph.input("tokens", {1, 1})), {1, 1, dim})); }
    /// text_decoder(tokens [1, 1], encoded [1, T, D], input_pos [1]), which attends to an encoder's output.
    void runOnEncoded(std::int64_t rows) {
        const GraphTensor tokens = graph.input("tokens", {1, 1});
        const GraphTensor given = graph.input("encoder_output", {1, rows, dim}, core::ScalarType::Float);
        setPosition(graph.input("input_pos", {1}));
        encoded = graph.view(given, {rows, dim});
        decode(embedded(tokens));
    }

    /// Maps numbers to as many outputs without a bias; for the encoders, which have no other modules in
    /// common.
    GraphTensor projected(std::string_view name, const GraphTensor& x, std::int64_t outputs) {
        return linear(name, x, outputs);
    }

  private:
    void setPosition(const GraphTensor& position) {
        start = graph.number(position);
        half = graph.buffer("rope.turn", {headDim, headDim}, turn());
        epsilon = graph.buffer("eps", {1, 1}, {1e-5F});
        cosines = rows("rope.cos", true, position);
        sines = rows("rope.sin", false, position);
    }

    void decode(GraphTensor x) {
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            const Module block(graph, "layers." + std::to_string(layer), "llama.Block");
            x = add(x, attention(norm("attention_norm", x)));
            if (encoded) {
                x = add(x, crossAttention(norm("cross_norm", x)));
            }
            x = add(x, feedForward(norm("ffn_norm", x)));
        }
        graph.output(logits(norm("norm", x)));
    }

    using Module = StatefulGraph::Module;
    using Sizes = std::vector<std::int64_t>;

    /// Uniform numbers that preserve the magnitude of their factors.
    std::vector<float> uniform(std::int64_t count, float range) {
        std::vector<float> numbers(static_cast<std::size_t>(count));
        for (float& each : numbers) {
            each = random.uniform(-range, range);
        }
        return numbers;
    }

    GraphTensor embedded(const GraphTensor& tokens) {
        const Module module(graph, "tok_embeddings", "torch.nn.modules.sparse.Embedding");
        const GraphTensor table = graph.parameter("weight", {vocabulary, dim}, uniform(vocabulary * dim, 1));
        const GraphTensor rows = graph.call("aten.embedding.default", "aten::embedding.out",
                                            {{"weight", table},
                                             {"indices", tokens},
                                             {"padding_idx", std::int64_t{-1}},
                                             {"scale_grad_by_freq", false},
                                             {"sparse", false}},
                                            {1, 1, dim});
        return graph.view(rows, {1, dim});
    }

    /// Favours words: bytes and special tokens have the logit 0.
    GraphTensor logits(const GraphTensor& x) {
        std::vector<float> numbers(static_cast<std::size_t>(dim * vocabulary), 0.0F);
        constexpr float range = 0.3F;  // keeps any word from being much more likely than the others
        for (std::int64_t row = 0; row < dim; ++row) {
            for (std::int64_t id = firstWordToken; id < vocabulary; ++id) {
                numbers[static_cast<std::size_t>((id * dim) + row)] = random.uniform(-range, range);
            }
        }
        return linear("output", x, std::move(numbers));
    }

    GraphTensor add(const GraphTensor& x, const GraphTensor& y) {
        return graph.call("aten.add.Tensor", "aten::add.out",
                          {{"self", x}, {"other", y}, {"alpha", std::int64_t{1}}}, x.sizes);
    }

    GraphTensor mul(const GraphTensor& x, const GraphTensor& y) {
        return graph.call("aten.mul.Tensor", "aten::mul.out", {{"self", x}, {"other", y}}, x.sizes);
    }

    GraphTensor product(const GraphTensor& x, const GraphTensor& weights) {
        return graph.call("aten.mm.default", "aten::mm.out", {{"self", x}, {"mat2", weights}},
                          {x.sizes[0], weights.sizes[1]});
    }

    GraphTensor linear(std::string_view name, const GraphTensor& x, std::int64_t outputs) {
        const std::int64_t inputs = x.sizes[1];
        const float range = std::sqrt(3.0F / static_cast<float>(inputs));
        std::vector<float> weights(static_cast<std::size_t>(inputs * outputs));
        for (std::int64_t input = 0; input < inputs; ++input) {
            for (std::int64_t output = 0; output < outputs; ++output) {
                weights[static_cast<std::size_t>((output * inputs) + input)] = random.uniform(-range, range);
            }
        }
        return linear(name, x, std::move(weights));
    }

    /// `weights`: a row for each output, of as many numbers as `x` has.
    GraphTensor linear(std::string_view name, const GraphTensor& x, std::vector<float> weights) {
        const Module module(graph, name, "torch.nn.modules.linear.Linear");
        const std::int64_t outputs = static_cast<std::int64_t>(weights.size()) / x.sizes[1];
        const GraphTensor weight = graph.parameter("weight", {outputs, x.sizes[1]}, std::move(weights));
        return graph.call("aten.linear.default", "aten::linear.out",
                          {{"input", x}, {"weight", weight}, {"bias", std::monostate()}},
                          {x.sizes[0], outputs});
    }

    /// x / sqrt(mean(x * x) + eps)
    GraphTensor norm(std::string_view name, const GraphTensor& x) {
        const Module module(graph, name, "llama.RMSNorm");
        const GraphTensor mean = graph.call(
            "aten.mean.dim", "aten::mean.out",
            {{"self", mul(x, x)}, {"dim", Sizes{1}}, {"keepdim", true}, {"dtype", std::monostate()}}, {1, 1});
        return mul(
            x, graph.call("aten.rsqrt.default", "aten::rsqrt.out", {{"self", add(mean, epsilon)}}, {1, 1}));
    }

    /// The cosines or sines at a position, for each element of a head.
    GraphTensor rows(std::string_view name, bool isCosine, const GraphTensor& position) {
        std::vector<float> numbers;
        for (std::int64_t at = 0; at < context; ++at) {
            for (std::int64_t i = 0; i < headDim; ++i) {
                constexpr double base = 10000;
                const double exponent =
                    -2.0 * static_cast<double>(i % (headDim / 2)) / static_cast<double>(headDim);
                const double angle = static_cast<double>(at) * std::pow(base, exponent);
                numbers.push_back(static_cast<float>(isCosine ? std::cos(angle) : std::sin(angle)));
            }
        }
        const GraphTensor table = graph.buffer(name, {context, headDim}, std::move(numbers));
        return graph.call("aten.index.Tensor", "aten::index.Tensor_out",
                          {{"self", table}, {"indices", std::vector{position}}}, {1, headDim});
    }

    /// The matrix that swaps the halves of a head and negates one, for rotary embeddings.
    [[nodiscard]] std::vector<float> turn() const {
        std::vector<float> numbers(static_cast<std::size_t>(headDim * headDim), 0.0F);
        const std::int64_t middle = headDim / 2;
        for (std::int64_t i = 0; i < middle; ++i) {
            numbers[static_cast<std::size_t>(((i + middle) * headDim) + i)] = -1;
            numbers[static_cast<std::size_t>((i * headDim) + i + middle)] = 1;
        }
        return numbers;
    }

    GraphTensor rotate(const GraphTensor& x) {
        const Module module(graph, "rope", "llama.RotaryEmbedding");
        const GraphTensor byHead = graph.view(x, {heads, headDim});
        const GraphTensor turned = product(byHead, half);
        const GraphTensor along = mul(byHead, cosines);
        const GraphTensor across = mul(turned, sines);
        return graph.view(add(along, across), {1, 1, heads, headDim});
    }

    GraphTensor cached(std::string_view name, const GraphTensor& row) {
        const Module module(graph, "kv_cache", "llama.KVCache");
        return graph.update(graph.state(name, {1, context, heads, headDim}), row, start);
    }

    GraphTensor attention(const GraphTensor& x) {
        const Module module(graph, "attention", "llama.Attention");
        const GraphTensor query = rotate(linear("wq", x, dim));
        const GraphTensor keys = cached("k_cache", rotate(linear("wk", x, dim)));
        const GraphTensor values =
            cached("v_cache", graph.view(linear("wv", x, dim), {1, 1, heads, headDim}));
        const GraphTensor seen = graph.call("llama.custom_sdpa.default", "llama::custom_sdpa.out",
                                            {{"query", query},
                                             {"key", keys},
                                             {"value", values},
                                             {"start_pos", start},
                                             {"attn_mask", std::monostate()},
                                             {"drpout_p", 0.0},
                                             {"is_causal", true},
                                             {"scale", std::monostate()}},
                                            {1, 1, heads, headDim});
        return linear("wo", graph.view(seen, {1, dim}), dim);
    }

    /// Attention with one head to the output of an encoder.
    GraphTensor crossAttention(const GraphTensor& x) {
        const Module module(graph, "cross_attention", "whisper.CrossAttention");
        const std::int64_t rows = encoded->sizes[0];
        const GraphTensor query = linear("wq", x, dim);
        const GraphTensor keys =
            graph.call("aten.permute_copy.default", "aten::permute_copy.out",
                       {{"self", linear("wk", *encoded, dim)}, {"dims", Sizes{1, 0}}}, {dim, rows});
        const GraphTensor values = linear("wv", *encoded, dim);
        const GraphTensor shares = graph.call(
            "aten._softmax.default", "aten::_softmax.out",
            {{"self", product(query, keys)}, {"dim", std::int64_t{1}}, {"half_to_float", false}}, {1, rows});
        return linear("wo", product(shares, values), dim);
    }

    /// w2(silu(w1(x)) * w3(x))
    GraphTensor feedForward(const GraphTensor& x) {
        const Module module(graph, "feed_forward", "llama.FeedForward");
        const GraphTensor gate = linear("w1", x, hidden);
        const GraphTensor open =
            graph.call("aten.sigmoid.default", "aten::sigmoid.out", {{"self", gate}}, gate.sizes);
        const GraphTensor silu = mul(gate, open);
        const GraphTensor up = linear("w3", x, hidden);
        return linear("w2", mul(silu, up), dim);
    }

    StatefulGraph& graph;
    std::int64_t dim, heads, headDim, hidden, layers, context, vocabulary;
    Random random{16};
    GraphNumber start;
    GraphTensor half, epsilon, cosines, sines;
    std::optional<GraphTensor> encoded;  ///< rows of an encoder's output
};

/// Adds the constant methods that exporters write.
void addLanguageConstants(builder::ProgramBuilder& program, const LlamaShape& shape);

}  // namespace et::samples
