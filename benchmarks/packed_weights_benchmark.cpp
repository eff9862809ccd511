// Benchmark without Google Benchmark: the gated delta rule, low-bit linear layers and experts with packed
// weights, each compared with the straightforward loop that compilers vectorise. Both alternate on one
// thread; the fastest run of each is used.
#include "runtime/kernels/builtin.h"
#include "tests/support/torchao_packing.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <limits>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

using et::core::Tensor;
using et::core::Value;
using Sizes = std::vector<std::int64_t>;

std::vector<float> randomFloats(std::size_t count, float low, float high) {
    std::mt19937 generator(static_cast<unsigned>(count));
    std::uniform_real_distribution<float> numbers(low, high);
    std::vector<float> made(count);
    std::ranges::generate(made, [&] { return numbers(generator); });
    return made;
}

std::size_t countOf(const Sizes& sizes) {
    std::size_t count = 1;
    for (const std::int64_t size : sizes) {
        count *= static_cast<std::size_t>(size);
    }
    return count;
}

/// An operator with its arguments, on one thread.
class Call {
  public:
    explicit Call(std::string_view name) : entry(et::kernels::builtin().find(name)) {}

    template <class T>
    void tensor(const Sizes& sizes, const T* elements) {
        auto made = Tensor::make(et::core::scalarTypeOf<T>, sizes, nullptr);
        memory.emplace_back(made->bytes() + 64);
        if (elements != nullptr) {
            std::copy_n(reinterpret_cast<const std::byte*>(elements), made->bytes(), memory.back().data());
        }
        made->setMemory(memory.back().data(), made->bytes());
        add(*made);
    }
    void floats(const Sizes& sizes, float low = -1, float high = 1) {
        tensor(sizes, randomFloats(countOf(sizes), low, high).data());
    }
    void result(const Sizes& sizes) { tensor<float>(sizes, nullptr); }
    void add(Value::Kind content) {
        values.emplace_back(std::move(content));
        arguments.push_back(&values.back());
    }

    void run() {
        et::kernels::KernelContext context(pool, scratch, random);
        context.bind(state);
        const auto done = entry->kernel.call(context, arguments);
        scratch.release();
        if (!done) {
            fmt::print(stderr, "{}: {}\n", entry->name, done.error().toString());
            std::exit(EXIT_FAILURE);
        }
    }

  private:
    const et::kernels::KernelEntry* entry;
    et::kernels::ThreadPool pool;
    et::kernels::ScratchMemory scratch{std::uint64_t{1} << 32U};
    std::mt19937_64 random;
    std::unique_ptr<et::kernels::KernelState> state;
    std::deque<Value> values;
    std::deque<std::vector<std::byte>> memory;
    std::vector<Value*> arguments;
};

template <class Function>
double secondsOf(Function&& function) {
    const auto start = std::chrono::steady_clock::now();
    function();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class Loop>
void compare(std::string_view name, Call& call, Loop&& loop) {
    double ours = std::numeric_limits<double>::infinity();
    double straightforward = ours;
    double total = 0;
    for (int i = 0; i < 5 || (total < 0.5 && i < 10000); ++i) {
        ours = std::min(ours, secondsOf([&] { call.run(); }));
        straightforward = std::min(straightforward, secondsOf(loop));
        total += ours + straightforward;
    }
    fmt::print("{:44} {:10.1f} us {:10.1f} us {:6.2f}\n", name, ours * 1e6, straightforward * 1e6,
               ours / straightforward);
}

void compareDeltaRule(std::size_t heads, std::size_t tokens, std::size_t width) {
    const auto size = [](std::size_t count) { return static_cast<std::int64_t>(count); };
    const Sizes rows{1, size(heads), size(tokens), size(width)};
    const Sizes state{1, size(heads), size(width), size(width)};
    Call call("llama::gated_delta_rule.out");
    for (int i = 0; i < 3; ++i) {
        call.floats(rows, -0.1F, 0.1F);
    }
    call.floats({1, size(heads), size(tokens)}, 0.8F, 1);
    call.floats({1, size(heads), size(tokens)}, 0, 1);
    call.floats(state);
    call.result(rows);
    call.result(state);
    const auto query = randomFloats(countOf(rows), -0.1F, 0.1F);
    const std::vector<float> initial = randomFloats(countOf(state), -1, 1);
    std::vector<float> current(initial.size());
    std::vector<float> out(query.size());
    std::vector<float> change(width);
    compare(fmt::format("gated delta rule, {} heads, {} tokens, {}", heads, tokens, width), call, [&] {
        std::ranges::copy(initial, current.begin());
        for (std::size_t head = 0; head < heads; ++head) {
            for (std::size_t t = head * tokens; t < (head + 1) * tokens; ++t) {
                const float* key = query.data() + t * width;
                std::ranges::fill(change, 0.0F);
                for (std::size_t k = 0; k < width; ++k) {
                    float* row = current.data() + (head * width + k) * width;
                    for (std::size_t v = 0; v < width; ++v) {
                        row[v] *= 0.9F;
                        change[v] += row[v] * key[k];
                    }
                }
                float* to = out.data() + t * width;
                for (std::size_t v = 0; v < width; ++v) {
                    change[v] = (key[v] - change[v]) * 0.5F;
                    to[v] = 0;
                }
                for (std::size_t k = 0; k < width; ++k) {
                    float* row = current.data() + (head * width + k) * width;
                    for (std::size_t v = 0; v < width; ++v) {
                        row[v] += key[k] * change[v];
                        to[v] += row[v] * key[k];
                    }
                }
            }
        }
    });
}

et::test::LinearWeights weightsOf(int bits, int outputs, int depth) {
    constexpr int group = 32;
    const auto groups = static_cast<std::size_t>(outputs * depth / group);
    return {.bits = bits,
            .outputs = outputs,
            .depth = depth,
            .group = group,
            .integers = et::test::lowBitIntegers(bits, groups * group, 1),
            .scales = randomFloats(groups, 0.01F, 0.02F)};
}

/// The loop over integers that were unpacked before.
void compareLinear(int bits, int rows, int outputs, int depth) {
    const et::test::LinearWeights weights = weightsOf(bits, outputs, depth);
    const std::vector<std::uint8_t> packed = et::test::packLinear(weights);
    Call call(fmt::format("torchao::_linear_8bit_act_{}bit_weight.out", bits));
    call.floats({rows, depth});
    call.tensor({static_cast<std::int64_t>(packed.size())}, packed.data());
    for (const std::int64_t number : {weights.group, outputs, depth}) {
        call.add(number);
    }
    call.result({rows, outputs});
    const std::vector<std::int8_t> input =
        et::test::lowBitIntegers(8, static_cast<std::size_t>(rows * depth), 2);
    std::vector<float> out(static_cast<std::size_t>(rows * outputs));
    compare(fmt::format("linear, {} bits, {} x {} x {}", bits, rows, depth, outputs), call, [&] {
        for (int row = 0; row < rows; ++row) {
            for (int output = 0; output < outputs; ++output) {
                float total = 0;
                for (int start = 0; start < depth; start += weights.group) {
                    std::int32_t sum = 0;
                    for (int k = start; k < start + weights.group; ++k) {
                        sum += input[static_cast<std::size_t>(row * depth + k)] *
                               weights.integers[static_cast<std::size_t>(output * depth + k)];
                    }
                    total +=
                        static_cast<float>(sum) *
                        weights.scales[static_cast<std::size_t>((output * depth + start) / weights.group)];
                }
                out[static_cast<std::size_t>(row * outputs + output)] = total;
            }
        }
    });
}

struct ExpertsForm {
    int bits, tokens, experts, chosen, dim, hidden;
};

void appendExperts(Call& call, const ExpertsForm& form, int outputs, int depth) {
    const std::vector<std::uint8_t> one = et::test::packLinear(weightsOf(form.bits, outputs, depth));
    std::vector<std::uint8_t> all;
    for (int i = 0; i < form.experts; ++i) {
        all.insert(all.end(), one.begin(), one.end());
    }
    call.tensor({form.experts, static_cast<std::int64_t>(one.size())}, all.data());
}

/// The loop over weights in float32 that were unpacked before, in the order of their memory: each chosen
/// expert multiplies each of its tokens.
void compareExperts(const ExpertsForm& form) {
    Call call("llama::quantized_moe_ffn.out");
    call.floats({form.tokens, form.dim}, -0.1F, 0.1F);
    call.floats({form.experts, form.dim});
    call.result({0});
    appendExperts(call, form, 2 * form.hidden, form.dim);
    appendExperts(call, form, form.dim, form.hidden);
    for (const std::int64_t number : {form.chosen, form.experts, form.hidden, form.dim, 32, form.bits}) {
        call.add(number);
    }
    call.add(std::string_view("softmax"));
    call.add(1.0);
    call.result({form.tokens, form.dim});
    const auto up = randomFloats(static_cast<std::size_t>(2 * form.hidden * form.dim), -1, 1);
    const auto input = randomFloats(static_cast<std::size_t>(std::max(form.dim, form.hidden)), -1, 1);
    std::vector<float> out(static_cast<std::size_t>(std::max(2 * form.hidden, form.dim)));
    // Eight sums per output, so that the compiler vectorises without reordering additions.
    const auto multiply = [&](int outputs, int depth) {
        for (int output = 0; output < outputs; ++output) {
            float sums[8] = {};
            const float* row = up.data() + static_cast<std::size_t>(output) * static_cast<std::size_t>(depth);
            for (int k = 0; k < depth; k += 8) {
                for (int i = 0; i < 8; ++i) {
                    sums[i] += row[k + i] * input[static_cast<std::size_t>(k + i)];
                }
            }
            out[static_cast<std::size_t>(output)] =
                sums[0] + sums[1] + sums[2] + sums[3] + sums[4] + sums[5] + sums[6] + sums[7];
        }
    };
    compare(fmt::format("experts, {} bits, {} tokens, {} of {}, {} x {}", form.bits, form.tokens, form.chosen,
                        form.experts, form.dim, form.hidden),
            call, [&] {
                for (int i = 0; i < form.tokens * form.chosen; ++i) {
                    multiply(2 * form.hidden, form.dim);
                    multiply(form.dim, form.hidden);
                }
            });
}

}  // namespace

int main() {
    fmt::print("{:44} {:>13} {:>13} {:>6}\n", "", "kernel", "loop", "ratio");
    compareDeltaRule(16, 1, 128);
    compareDeltaRule(16, 64, 128);
    compareDeltaRule(4, 512, 64);
    for (const int bits : {1, 2, 3, 4, 5, 6, 7, 8}) {
        compareLinear(bits, 1, 2048, 2048);
    }
    for (const int bits : {3, 4, 8}) {
        compareLinear(bits, 64, 1024, 1024);
    }
    compareExperts({.bits = 4, .tokens = 1, .experts = 16, .chosen = 4, .dim = 768, .hidden = 384});
    compareExperts({.bits = 8, .tokens = 1, .experts = 16, .chosen = 4, .dim = 768, .hidden = 384});
    compareExperts({.bits = 4, .tokens = 64, .experts = 16, .chosen = 4, .dim = 768, .hidden = 384});
    return 0;
}
