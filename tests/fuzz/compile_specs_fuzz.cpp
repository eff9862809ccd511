// Fuzzes compile specs: those of a program, else one, as lines: backend, key, value.
#include "backends/compile_specs.h"
#include "bundled_program/bundle.h"
#include "runtime/program/program.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace {

volatile std::size_t sink = 0;

void decode(std::string_view backend, const et::program::CompileSpec& spec) {
    if (const auto value = et::backends::decodeSpec(backend, spec)) {
        if (value->opaqueBytes > spec.value.size()) {
            std::abort();
        }
        sink = sink + value->text.size() + value->settings.size();
    }
    if (et::backends::specLine(backend, spec).find('\n') != std::string::npos) {
        std::abort();
    }
}

/// The text up to the next line.
std::string_view takeLine(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const et::core::Bytes bytes = std::as_bytes(std::span(data, size));
    const auto file = et::core::MappedFile::fromMemory({bytes.begin(), bytes.end()});
    const auto bundle = et::bundled_program::Bundle::parse(file);
    const auto program =
        bundle ? et::program::Program::parse(file, (*bundle)->program) : et::program::Program::parse(file);
    if (program) {
        for (const et::program::Method& method : (*program)->methods) {
            for (const et::program::Delegate& delegate : method.delegates) {
                for (const et::program::CompileSpec& spec : delegate.compileSpecs) {
                    decode(delegate.backend, spec);
                }
            }
        }
        return 0;
    }
    std::string_view text = et::core::textOf(bytes);
    const std::string_view backend = takeLine(text);
    const std::string_view key = takeLine(text);
    decode(backend, {.key = key, .value = std::as_bytes(std::span(text))});
    return 0;
}
