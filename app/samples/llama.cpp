#include "app/samples/llama.h"

#include "app/samples/random.h"
#include "runtime/builder/program_builder.h"

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>

namespace et::samples {
namespace {

using builder::MethodBuilder;
using program::ValueId;
using Sizes = std::vector<std::int64_t>;

constexpr std::int64_t dim = 32;
constexpr std::int64_t heads = 2;
constexpr std::int64_t headDim = 16;
constexpr std::int64_t hidden = 64;
constexpr std::int64_t layers = 2;
constexpr std::int64_t context = 64;
constexpr std::int64_t bos = 1;
constexpr std::int64_t eos = 2;
constexpr std::int64_t firstByte = 3;
constexpr std::int64_t firstWord = firstByte + 256;

constexpr std::array<std::string_view, 41> words{
    " ",     " the",   " a",    " model", " runs", " on",    " small", " device", " and",   " writes", " its",
    " text", " to",    " of",   " token", " in",   " every", " step",  " it",     " reads", " cache",  " row",
    ",",     ".",      " then", " next",  " word", " is",    " by",    " time",   " one",   " with",   " at",
    " head", " layer", " sum",  " fast",  " new",  " old",   " name",  " end"};
constexpr std::int64_t vocabulary = firstWord + static_cast<std::int64_t>(words.size());

/// Builds the method, operator by operator.
class LlamaBuilder {
  public:
    explicit LlamaBuilder(MethodBuilder& into) : method(into) {}

    void run() {
        const ValueId tokens = method.input({.dtype = core::ScalarType::Long, .sizes = {1, 1}});
        position = method.input({.dtype = core::ScalarType::Long, .sizes = {1}});
        start = method.integer(0);
        method.callFunction("aten::_local_scalar_dense", {position}, start);
        cosines = rows(true);
        sines = rows(false);
        const ValueId table = weights({vocabulary, dim}, 1);
        const ValueId embedded = make({1, 1, dim});
        method.call("aten::embedding.out", {table, tokens, -1, false, false}, {embedded});
        ValueId x = method.alias(embedded, {.sizes = {1, dim}});
        for (std::int64_t layer = 0; layer < layers; ++layer) {
            x = add(x, attention(norm(x)));
            x = add(x, feedForward(norm(x)));
        }
        const ValueId logits = make({1, vocabulary});
        method.call("aten::mm.out", {norm(x), outputWeights()}, {logits});
        method.output(logits);
    }

  private:
    ValueId make(Sizes sizes) { return method.intermediate({.sizes = std::move(sizes)}); }

    ValueId constant(const Sizes& sizes, const std::vector<float>& numbers) {
        return method.constant({.sizes = sizes}, std::span<const float>(numbers));
    }

    /// Uniform, of a size that keeps that of what they multiply.
    ValueId weights(const Sizes& sizes, float range) {
        std::vector<float> numbers(static_cast<std::size_t>(sizes[0] * sizes[1]));
        for (float& each : numbers) {
            each = random.uniform(-range, range);
        }
        return constant(sizes, numbers);
    }

    /// Only words are likely: bytes and special tokens have the logit 0.
    ValueId outputWeights() {
        std::vector<float> numbers(static_cast<std::size_t>(dim * vocabulary), 0.0F);
        constexpr float range = 0.3F;  // so that no word is much more likely than the others
        for (std::int64_t row = 0; row < dim; ++row) {
            for (std::int64_t id = firstWord; id < vocabulary; ++id) {
                numbers[static_cast<std::size_t>((row * vocabulary) + id)] = random.uniform(-range, range);
            }
        }
        return constant({dim, vocabulary}, numbers);
    }

    ValueId add(ValueId x, ValueId y) {
        const ValueId sum = make({1, dim});
        method.call("aten::add.out", {x, y, 1}, {sum});
        return sum;
    }

    ValueId mul(ValueId x, ValueId y, Sizes sizes) {
        const ValueId product = make(std::move(sizes));
        method.call("aten::mul.out", {x, y}, {product});
        return product;
    }

    ValueId linear(ValueId x, std::int64_t inputs, std::int64_t outputs) {
        const ValueId y = make({1, outputs});
        const float range = std::sqrt(3.0F / static_cast<float>(inputs));
        method.call("aten::mm.out", {x, weights({inputs, outputs}, range)}, {y});
        return y;
    }

    /// x / sqrt(mean(x * x) + eps)
    ValueId norm(ValueId x) {
        const ValueId mean = make({1, 1});
        method.call("aten::mean.out", {mul(x, x, {1, dim}), builder::Ints{1}, true, nullptr}, {mean});
        const ValueId shifted = make({1, 1});
        method.call("aten::add.out", {mean, constant({1, 1}, {1e-5F}), 1}, {shifted});
        const ValueId inverse = make({1, 1});
        method.call("aten::rsqrt.out", {shifted}, {inverse});
        return mul(x, inverse, {1, dim});
    }

    /// The cosines or sines of this position, for each number of a head.
    ValueId rows(bool isCosine) {
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
        const ValueId row = make({1, headDim});
        const std::vector<std::optional<ValueId>> index{position};
        method.call("aten::index.Tensor_out", {constant({context, headDim}, numbers), index}, {row});
        return row;
    }

    /// Turns the halves of each head against each other.
    ValueId rotate(ValueId x) {
        std::vector<float> turn(static_cast<std::size_t>(headDim * headDim), 0.0F);
        constexpr std::int64_t half = headDim / 2;
        for (std::int64_t i = 0; i < half; ++i) {
            turn[static_cast<std::size_t>(((i + half) * headDim) + i)] = -1;
            turn[static_cast<std::size_t>((i * headDim) + i + half)] = 1;
        }
        const ValueId byHead = method.alias(x, {.sizes = {heads, headDim}});
        const ValueId turned = make({heads, headDim});
        method.call("aten::mm.out", {byHead, constant({headDim, headDim}, turn)}, {turned});
        const ValueId sum = make({heads, headDim});
        method.call("aten::add.out",
                    {mul(byHead, cosines, {heads, headDim}), mul(turned, sines, {heads, headDim}), 1}, {sum});
        return method.alias(sum, {.sizes = {1, 1, heads, headDim}});
    }

    ValueId cached(ValueId row) {
        const Sizes sizes{1, context, heads, headDim};
        const std::vector<std::byte> zeros(static_cast<std::size_t>(context * heads * headDim) *
                                           sizeof(float));
        const ValueId cache = method.state({.sizes = sizes}, zeros);
        method.call("llama::update_cache.out", {row, cache, start}, {make({1})});
        return cache;
    }

    ValueId attention(ValueId x) {
        const ValueId query = rotate(linear(x, dim, dim));
        const ValueId keys = cached(rotate(linear(x, dim, dim)));
        const ValueId values = cached(method.alias(linear(x, dim, dim), {.sizes = {1, 1, heads, headDim}}));
        const ValueId seen = make({1, 1, heads, headDim});
        method.call("llama::custom_sdpa.out", {query, keys, values, start, nullptr, 0.0, true, nullptr},
                    {seen});
        return linear(method.alias(seen, {.sizes = {1, dim}}), dim, dim);
    }

    /// w2(silu(w1(x)) * w3(x))
    ValueId feedForward(ValueId x) {
        const ValueId gate = linear(x, dim, hidden);
        const ValueId open = make({1, hidden});
        method.call("aten::sigmoid.out", {gate}, {open});
        const ValueId silu = mul(gate, open, {1, hidden});
        return linear(mul(silu, linear(x, dim, hidden), {1, hidden}), hidden, dim);
    }

    MethodBuilder& method;
    Random random{16};
    ValueId position, start, cosines, sines;
};

void addConstants(builder::ProgramBuilder& program) {
    const auto number = [&](std::string_view name, std::int64_t value) {
        MethodBuilder& method = program.method(name);
        method.output(method.integer(value));
    };
    const auto truth = [&](std::string_view name, bool value) {
        MethodBuilder& method = program.method(name);
        method.output(method.boolean(value));
    };
    number("get_max_seq_len", context);
    number("get_max_context_len", context);
    number("get_n_layers", layers);
    number("get_vocab_size", vocabulary);
    number("get_bos_id", bos);
    number("get_eos_ids", eos);
    truth("use_kv_cache", true);
    truth("use_sdpa_with_kv_cache", true);
    truth("enable_dynamic_shape", false);
}

void append(std::vector<std::byte>& file, const void* data, std::size_t bytes) {
    const std::size_t at = file.size();
    file.resize(at + bytes);
    std::memcpy(file.data() + at, data, bytes);
}

void appendInt(std::vector<std::byte>& file, std::int64_t number) {
    const auto narrow = static_cast<std::int32_t>(number);
    append(file, &narrow, sizeof(narrow));
}

void appendToken(std::vector<std::byte>& file, float score, std::string_view text) {
    append(file, &score, sizeof(score));
    appendInt(file, static_cast<std::int64_t>(text.size()));
    append(file, text.data(), text.size());
}

std::string byteToken(int byte) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    return std::string("<0x") + digits[static_cast<std::size_t>(byte / 16)] +
           digits[static_cast<std::size_t>(byte % 16)] + ">";
}

/// The header (size, BOS, EOS, longest token), then score, length and bytes of each token.
std::vector<std::byte> tokenizerFile() {
    std::vector<std::byte> file;
    for (const std::int64_t number : {vocabulary, bos, eos, std::int64_t{8}}) {
        appendInt(file, number);
    }
    for (const std::string_view special : {"<unk>", "<s>", "</s>"}) {
        appendToken(file, 0, special);
    }
    for (int byte = 0; byte < 256; ++byte) {
        appendToken(file, 0, byteToken(byte));
    }
    float score = 0;
    for (const std::string_view word : words) {
        appendToken(file, score, word);
        score -= 1;
    }
    return file;
}

}  // namespace

core::Result<std::vector<SampleFile>> makeLlama() {
    builder::ProgramBuilder program;
    LlamaBuilder(program.method("forward")).run();
    addConstants(program);
    std::vector<SampleFile> files;
    ET_ASSIGN(std::vector<std::byte> bytes, program.finish());
    files.push_back({.name = "llama.pte", .bytes = std::move(bytes)});
    files.push_back({.name = "llama_tokenizer.bin", .bytes = tokenizerFile()});
    return files;
}

}  // namespace et::samples
