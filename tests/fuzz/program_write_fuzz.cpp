// Fuzzes reading and writing programs, external tensors and bundled programs: what is read must be written so
// that reading and writing it again gives the same bytes.
#include "bundled_program/bundle.h"
#include "bundled_program/writer.h"
#include "runtime/builder/program_writer.h"
#include "runtime/builder/tensor_data_writer.h"
#include "runtime/program/program.h"
#include "tests/fuzz/support/byte_source.h"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace {

using et::core::Bytes;
using et::fuzz::require;
using File = std::shared_ptr<const et::core::MappedFile>;

File inMemory(std::vector<std::byte> bytes) {
    return et::core::MappedFile::fromMemory(std::move(bytes));
}

/// `read` returns a Result of a pointer, `write` is called with its target. Files that either one rejects are
/// not checked.
template <class Read, class Write>
void check(const File& file, Read read, Write write) {
    const auto first = read(file);
    const auto written = first ? write(**first) : et::core::Result<std::vector<std::byte>>();
    if (!first || !written) {
        return;
    }
    const auto second = read(inMemory(*written));
    require(second.has_value());
    const auto again = write(**second);
    require(again && *again == *written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const File file = inMemory({bytes.begin(), bytes.end()});
    check(
        file, [](const File& from) { return et::program::Program::parse(from); },
        [](const et::program::Program& program) {
            return et::builder::writeProgram(
                {.version = program.version, .methods = program.methods, .namedData = program.namedData});
        });
    check(
        file, [](const File& from) { return et::program::TensorData::parse(from); },
        [](const et::program::TensorData& tensors) { return et::builder::writeTensorData(tensors.entries); });
    check(
        file, [](const File& from) { return et::bundled_program::Bundle::parse(from); },
        [](const et::bundled_program::Bundle& bundle) {
            return et::bundled_program::writeBundle(bundle.program, bundle.suites);
        });
    return 0;
}
