// Fuzzes the reader of packages (.ptn): a whole package, or one of its members, which is put into a package
// with the other members of a valid one, whose checksums are right.
#include "app/samples/native_package.h"
#include "runtime/archive/zip_writer.h"
#include "runtime/native/writer.h"
#include "tests/fuzz/support/drive_package.h"
#include "tests/fuzz/support/zip_mutator.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace {

using et::core::Bytes;
using et::core::FileContent;

/// Members of a valid package.
struct Members {
    std::vector<std::byte> graph;
    std::vector<std::byte> tensors;
};

const Members& validMembers() {
    static const Members members = [] {
        const auto content = et::samples::nativeContent();
        return Members{.graph = et::native::writeGraph(content.program).value(),
                       .tensors = et::native::writeSafetensors(content.tensors).value()};
    }();
    return members;
}

void drive(const et::archive::Entries& entries) {
    std::ignore = et::fuzz::drivePackage(et::archive::storeEntries(entries).value().joined());
}

FileContent copyOf(Bytes bytes) {
    return FileContent(std::vector<std::byte>(bytes.begin(), bytes.end()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t markAt = 4;
    constexpr std::size_t lengthBytes = 8;
    const Bytes bytes = std::as_bytes(std::span(data, size));
    const std::string_view text = et::core::textOf(bytes);
    const Members& valid = validMembers();
    if (text.starts_with("PK")) {
        std::ignore = et::fuzz::drivePackage(bytes);
    } else if (size > markAt && text.substr(markAt).starts_with("NPTG")) {
        std::ignore = et::fuzz::driveNativeGraph(bytes);
        drive({{"program.ptg", copyOf(bytes)}, {"program.safetensors", copyOf(valid.tensors)}});
    } else if (size > lengthBytes && text.substr(lengthBytes).starts_with("{")) {
        drive({{"program.ptg", copyOf(valid.graph)}, {"program.safetensors", copyOf(bytes)}});
    } else {
        drive({{"program.ptg", copyOf(valid.graph)},
               {"program.safetensors", copyOf(valid.tensors)},
               {"aliases.json", copyOf(bytes)}});
    }
    return 0;
}
