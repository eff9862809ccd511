#include "tests/support/long_program.h"

#include "runtime/builder/method_builder.h"
#include "runtime/builder/program_builder.h"

namespace et::test {

std::vector<std::byte> longProgram(std::size_t count) {
    constexpr std::size_t places = 64;
    constexpr std::size_t life = 40;
    constexpr std::uint64_t bytes = 1024;
    builder::ProgramBuilder program;
    builder::MethodBuilder& method = program.method("forward");
    std::vector<program::ValueId> values;
    const auto add = [&](program::ValueId id) {
        method.place(id, {.arena = program::ArenaId(1), .offset = values.size() % places * bytes});
        values.push_back(id);
    };
    const builder::TensorSpec spec{.sizes = {bytes / sizeof(float)}};
    add(method.input(spec));
    for (std::size_t i = 1; i < count; ++i) {
        const program::ValueId next = method.intermediate(spec);
        method.call("aten::add.out", {values.back(), values[i < life ? 0 : i - life], 1}, {next});
        add(next);
    }
    method.output(values.back());
    method.setArena(program::ArenaId(1), places * bytes);
    return program.finish().value_or(std::vector<std::byte>());
}

}  // namespace et::test
