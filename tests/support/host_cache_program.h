#pragma once

#include "runtime/builder/program_builder.h"
#include "runtime/core/scalar_type.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// A language model whose KV caches are outside the program (kvcache::update_and_attend).
namespace et::test {

/// Faults of programs with such caches.
enum class CacheFault : std::uint8_t {
    None,
    FixedPosition,  ///< every call writes position 0
    SharedLayer,    ///< two layers name the same cache
    KeptPosition,   ///< positions go on after the conversation ends
    FarPosition     ///< positions beyond the context
};

struct HostCacheModel {
    std::int64_t layers = 2;
    std::int64_t size = 8;  ///< of a head; there is one
    std::int64_t vocabulary = 16;
    std::int64_t longest = 6;                  ///< tokens of a call
    std::optional<std::int64_t> context = 12;  ///< get_max_ctx_len
    std::vector<std::int32_t> windows{};       ///< get_windows
    CacheFault fault = CacheFault::None;
};

/// Adds `forward`: tokens int64 [1, T] and positions int32 [T, 1]; returns logits float32 [1, T, vocabulary].
class HostCacheProgram {
  public:
    HostCacheProgram(builder::ProgramBuilder& program, const HostCacheModel& wanted)
        : model(wanted), method(program.method("forward")) {
        addConstants(program);
        const auto tokens = method.input(bounded({1, model.longest}, core::ScalarType::Long));
        position = method.input(bounded({model.longest, 1}, core::ScalarType::Int));
        placeTokens();
        auto x = value({1, model.longest, model.size});
        method.call("aten::embedding.out",
                    {weights({model.vocabulary, model.size}, 0.3F), tokens, -1, false, false}, {x});
        for (std::int64_t layer = 0; layer < model.layers; ++layer) {
            x = addLayer(x, layer);
        }
        const auto logits = value({1, model.longest, model.vocabulary});
        method.call("aten::linear.out", {x, weights({model.vocabulary, model.size}, 0.7F), nullptr},
                    {logits});
        method.output(logits);
    }

  private:
    static builder::TensorSpec bounded(std::vector<std::int64_t> sizes,
                                       core::ScalarType dtype = core::ScalarType::Float) {
        return {.dtype = dtype, .sizes = std::move(sizes), .dynamism = program::ShapeDynamism::Bounded};
    }
    program::ValueId value(std::vector<std::int64_t> sizes,
                           core::ScalarType dtype = core::ScalarType::Float) {
        return method.intermediate(bounded(std::move(sizes), dtype));
    }
    /// Numbers without a pattern.
    program::ValueId weights(std::vector<std::int64_t> sizes, float seed) {
        std::size_t count = 1;
        for (const std::int64_t size : sizes) {
            count *= static_cast<std::size_t>(size);
        }
        std::vector<float> numbers(count);
        for (std::size_t i = 0; i < count; ++i) {
            numbers[i] =
                std::sin(seed + static_cast<float>(i) * 1.7F) + std::cos(static_cast<float>(i * i) * seed);
        }
        return method.constant<float>({.sizes = std::move(sizes)}, numbers);
    }

    void addConstants(builder::ProgramBuilder& program) const {
        if (model.context) {
            builder::MethodBuilder& constant = program.method("get_max_ctx_len");
            constant.output(constant.integer(*model.context));
        }
        if (!model.windows.empty()) {
            builder::MethodBuilder& constant = program.method("get_windows");
            constant.output(constant.constant<std::int32_t>(
                {.dtype = core::ScalarType::Int, .sizes = {static_cast<std::int64_t>(model.windows.size())}},
                model.windows));
        }
    }

    /// Replaces the position of a faulty program.
    void placeTokens() {
        const auto wrong = value({model.longest, 1}, core::ScalarType::Int);
        if (model.fault == CacheFault::FixedPosition) {
            method.call("aten::mul.Scalar_out", {position, 0}, {wrong});
        } else if (model.fault == CacheFault::FarPosition) {
            method.call("aten::add.Scalar_out", {position, 9, 1}, {wrong});
        } else if (model.fault == CacheFault::KeptPosition) {
            const std::vector<std::int32_t> zero{0};
            const auto calls = method.state({.dtype = core::ScalarType::Int, .sizes = {1, 1}},
                                            std::as_bytes(std::span(zero)));
            method.call("aten::add.out", {position, calls, 1}, {wrong});
            method.call("aten::add.Scalar_out", {calls, 1, 1}, {calls});
        } else {
            return;
        }
        position = wrong;
    }

    program::ValueId addLayer(program::ValueId x, std::int64_t layer) {
        const std::vector<std::int64_t> heads{1, 1, model.longest, model.size};
        const std::vector<std::int64_t> rows{1, model.longest, model.size};
        const auto query = value(heads);
        method.call("aten::unsqueeze_copy.out", {x, 1}, {query});
        const auto key = value(heads);
        method.call("aten::mul.out", {query, weights({model.size}, 0.5F + static_cast<float>(layer))}, {key});
        const auto content = value(heads);
        method.call("aten::mul.out", {query, weights({model.size}, 0.9F + static_cast<float>(layer))},
                    {content});
        const auto seen = value(heads);
        const bool isShared = model.fault == CacheFault::SharedLayer;
        method.call("kvcache::update_and_attend.out",
                    {query, key, content, position, isShared ? 0 : layer, 0.5,
                     static_cast<std::int64_t>(core::ScalarType::Float)},
                    {seen});
        const auto flat = value(rows);
        method.call("aten::squeeze_copy.dim_out", {seen, 1}, {flat});
        const auto sum = value(rows);
        method.call("aten::add.out", {x, flat, 1}, {sum});
        return sum;
    }

    const HostCacheModel& model;
    builder::MethodBuilder& method;
    program::ValueId position;
};

}  // namespace et::test
