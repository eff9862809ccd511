#include "tests/cli/plugin_models.h"

#include <fstream>

namespace et::test {

ProgramSpec pluginProgram(const std::string& name) {
    MethodSpec method;
    for (const std::uint64_t offset : {0U, 32U}) {
        method.values.emplace_back(TensorSpec{.allocation = AllocationSpec{.arena = 1, .offset = offset}});
    }
    method.inputs = {0};
    method.outputs = {1};
    method.operators = {{"my::" + name, "out"}};
    method.instructions = {KernelSpec{.op = 0, .args = {0, 1}}};
    return {.methods = {method}};
}

ProgramSpec chainProgram(const std::vector<std::string>& operators) {
    constexpr std::uint64_t apart = 32;
    MethodSpec method;
    method.values.emplace_back(TensorSpec{.allocation = AllocationSpec{.arena = 1, .offset = 0}});
    for (std::size_t i = 0; i < operators.size(); ++i) {
        method.values.emplace_back(
            TensorSpec{.allocation = AllocationSpec{.arena = 1, .offset = apart * (i + 1)}});
        method.operators.push_back({operators[i], "out"});
        const auto from = static_cast<std::int32_t>(i);
        method.instructions.emplace_back(KernelSpec{.op = from, .args = {from, from + 1}});
    }
    method.inputs = {0};
    method.outputs = {static_cast<std::int32_t>(operators.size())};
    method.arenas = {0, static_cast<std::int64_t>(apart * (operators.size() + 1))};
    return {.methods = {method}};
}

ProgramSpec endlessProgram() {
    MethodSpec method;
    method.values = {false};
    method.outputs = {0};
    method.instructions = {JumpSpec{.condition = 0, .destination = 0}};
    return {.methods = {method}};
}

void writeText(const std::filesystem::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary) << text;
}

void writeBytes(const std::filesystem::path& path, const std::vector<std::byte>& bytes) {
    writeText(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

}  // namespace et::test
