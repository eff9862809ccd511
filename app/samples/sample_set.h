#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::samples {

/// A file of a set.
struct SampleFile {
    std::string name;  ///< "conv_net.etdp"
    std::vector<std::byte> bytes;
};

struct SampleInfo {
    std::string_view name;         ///< "conv_net"
    std::string_view description;  ///< one line for people
};

/// All sets, in the order in which to show them.
[[nodiscard]] std::span<const SampleInfo> sampleInfos();
[[nodiscard]] std::vector<std::string_view> sampleNames();

/// The files of a set, which belong together: NAME.pte, NAME.bpte, NAME.etrecord, NAME.etdp and
/// NAME_debug.bin (what the trace logged). The trace is of the program's own run on this machine, just now;
/// program and record are the same bytes each time. "llama" has a program and its tokenizer (llama.h). So are
/// the inputs in the bundled program; its expected outputs are what this machine computed. Errors: NotFound
/// (the message lists what there is).
[[nodiscard]] core::Result<std::vector<SampleFile>> makeSampleSet(std::string_view name);

/// Writes the files of a set into `directory`, which is made if it is not there, over files of the same
/// names. Returns their paths, the program first. Errors: NotFound, Io.
[[nodiscard]] core::Result<std::vector<std::filesystem::path>> writeSampleSet(
    std::string_view name, const std::filesystem::path& directory);

}  // namespace et::samples
