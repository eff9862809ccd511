#include "tests/cli/debug_fault_programs.h"

#include "runtime/builder/program_builder.h"
#include "runtime/core/scalar_type.h"

#include <span>

namespace et::test {

using program::ValueId;

std::vector<std::byte> accumulator(bool resets) {
    builder::ProgramBuilder program;
    builder::MethodBuilder& method = program.method("forward");
    const builder::TensorSpec spec{.sizes = {2, 3}};
    const std::vector<float> zeros(6);
    const ValueId x = method.input(spec);
    const ValueId sum = method.state(spec, std::as_bytes(std::span(zeros)));
    const ValueId zero = method.constant(spec, std::span<const float>(zeros));
    const ValueId start = method.intermediate(spec);
    method.call("aten::mul.out", {sum, resets ? zero : x}, {start});
    if (resets) {
        method.call("aten::add.out", {start, x, 1}, {sum});
    } else {
        method.call("aten::add.out", {sum, x, 1}, {sum});
    }
    const ValueId y = method.intermediate(spec);
    method.call("aten::mul.out", {sum, x}, {y});
    method.output(y);
    return program.finish().value();
}

std::vector<std::byte> sliced(std::int64_t end) {
    builder::ProgramBuilder program;
    builder::MethodBuilder& method = program.method("forward");
    const ValueId x = method.input({.sizes = {4, 8}});
    const builder::TensorSpec bounded{.sizes = {4, 8}, .dynamism = program::ShapeDynamism::Bounded};
    const ValueId part = method.intermediate(bounded);
    const ValueId y = method.intermediate(bounded);
    method.call("aten::slice_copy.Tensor_out", {x, 0, 0, end, 1}, {part});
    method.call("aten::abs.out", {part}, {y});
    method.output(y);
    return program.finish().value();
}

std::vector<std::byte> quantized(double scale) {
    constexpr std::int64_t least = -128;
    constexpr std::int64_t most = 127;
    constexpr auto dtype = static_cast<std::int64_t>(core::ScalarType::Char);
    builder::ProgramBuilder program;
    builder::MethodBuilder& method = program.method("forward");
    const ValueId x = method.input({.sizes = {2, 3}});
    const ValueId steps = method.intermediate({.dtype = core::ScalarType::Char, .sizes = {2, 3}});
    const ValueId y = method.intermediate({.sizes = {2, 3}});
    method.call("quantized_decomposed::quantize_per_tensor.out", {x, scale, 0, least, most, dtype}, {steps});
    method.call("quantized_decomposed::dequantize_per_tensor.out",
                {steps, scale, 0, least, most, dtype, nullptr}, {y});
    method.output(y);
    return program.finish().value();
}

std::vector<std::byte> padded(double border) {
    builder::ProgramBuilder program;
    builder::MethodBuilder& method = program.method("forward");
    const ValueId x = method.input({.sizes = {2, 3}});
    const ValueId wide = method.intermediate({.sizes = {2, 5}});
    const ValueId y = method.intermediate({.sizes = {2, 5}});
    method.call("aten::constant_pad_nd.out", {x, builder::Ints{1, 1}, border}, {wide});
    method.call("aten::abs.out", {wide}, {y});
    method.output(y);
    return program.finish().value();
}

std::vector<std::byte> besidePlugin(std::string_view op) {
    builder::ProgramBuilder program;
    builder::MethodBuilder& method = program.method("forward");
    const builder::TensorSpec spec{.sizes = {2, 3}};
    const ValueId x = method.input(spec);
    const ValueId left = method.intermediate(spec);
    const ValueId right = method.intermediate(spec);
    const ValueId y = method.intermediate(spec);
    method.call("aten::abs.out", {x}, {left});
    method.call(op, {x}, {right});
    method.call("aten::add.out", {left, right, 1}, {y});
    method.output(y);
    constexpr std::uint64_t step = 32;
    const program::ArenaId arena{1};
    method.place(x, {.arena = arena, .offset = 0});
    method.place(right, {.arena = arena, .offset = step});
    method.place(left, {.arena = arena, .offset = 2 * step});
    method.place(y, {.arena = arena, .offset = 3 * step});
    method.setArena(arena, 4 * step);
    return program.finish().value();
}

}  // namespace et::test
