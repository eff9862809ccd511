#pragma once

#include "runtime/core/result.h"

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::samples {

/// A file of a sample set.
struct SampleFile {
    std::string name;  ///< "conv_net.etdp"
    std::vector<std::byte> bytes;
};

/// A file with this text.
[[nodiscard]] SampleFile textFile(std::string name, std::string_view text);

struct SampleInfo {
    std::string_view name;         ///< "conv_net"
    std::string_view description;  ///< one line
};

/// All sample sets in display order.
[[nodiscard]] std::span<const SampleInfo> sampleInfos();
/// Names of the sets made from one net, which have all kinds of files.
[[nodiscard]] std::vector<std::string_view> netSampleNames();

/// Returns the matching files of a set. Those of a net are NAME.pte, NAME.bpte, NAME.etrecord, NAME.etdp and
/// NAME_debug.bin (values logged by the trace). The trace is recorded now, on this machine; program, record
/// and the inputs in the bundled program are deterministic, while its expected outputs are computed on this
/// machine. llama.h and faults.h describe the other sets. Errors: NotFound (the message lists the sets).
[[nodiscard]] core::Result<std::vector<SampleFile>> makeSampleSet(std::string_view name);

/// Writes the files of a set to `directory`, which is created if necessary, overwriting files of the same
/// names. Returns their paths, the program first. Errors: NotFound, Io.
[[nodiscard]] core::Result<std::vector<std::filesystem::path>> writeSampleSet(
    std::string_view name, const std::filesystem::path& directory);

}  // namespace et::samples
