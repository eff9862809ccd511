// Fuzzes the reader of bundled programs, and the reader of programs with the embedded ones.
#include "bundled_program/bundle.h"
#include "runtime/program/program.h"

#include <cstdint>
#include <utility>

namespace {

volatile unsigned sink = 0;

/// Reads both ends, so that spans outside the file are detected.
void touch(et::core::Bytes bytes) {
    if (!bytes.empty()) {
        sink = std::to_integer<unsigned>(bytes.front()) + std::to_integer<unsigned>(bytes.back());
    }
}

void touch(const std::vector<et::bundled_program::BundledValue>& values) {
    for (const auto& value : values) {
        if (const auto* tensor = std::get_if<et::bundled_program::BundledTensor>(&value)) {
            touch(tensor->data);
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto* first = reinterpret_cast<const std::byte*>(data);
    const auto bundle =
        et::bundled_program::Bundle::parse(et::core::MappedFile::fromMemory({first, first + size}));
    if (!bundle) {
        sink = static_cast<unsigned>(bundle.error().toString().size());
        return 0;
    }
    for (const auto& suite : (*bundle)->suites) {
        for (const auto& test : suite.cases) {
            touch(test.inputs);
            touch(test.expectedOutputs);
        }
    }
    touch((*bundle)->program);
    sink = et::program::Program::parse((*bundle)->file, (*bundle)->program) ? 1 : 0;
    return 0;
}
