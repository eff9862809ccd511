#pragma once

#include "etrecord/record.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// An open tensor data file.
struct DataFile {
    std::filesystem::path path;
    std::shared_ptr<const program::TensorData> data;
};

enum class DataVerdict : std::uint8_t {
    NotNeeded,   ///< the program reads nothing from outside itself, and no file was given
    Missing,     ///< no file was given, or not all files of the export
    Unverified,  ///< names and sizes fit; nothing states the contents
    Match,       ///< the contents are also those of the export
    Mismatch,
};
/// "not needed", "missing", "unverified", "match", "mismatch": stable, used in JSON.
[[nodiscard]] std::string_view name(DataVerdict verdict);

struct DataQuestion {
    const program::Program& program;
    std::filesystem::path programPath;  ///< for messages
    std::span<const DataFile> files;    ///< together they hold the program's data
    const etrecord::Record* record = nullptr;
    std::filesystem::path recordPath{};
    bool isOnlyProgram = true;  ///< false: files may hold the data of other programs
    /// Maximum number of bytes whose contents are compared with hashes in names and with the record, smallest
    /// data first.
    std::uint64_t contentBytes = UINT64_MAX;
};

struct DataCheck {
    DataVerdict verdict = DataVerdict::NotNeeded;
    std::vector<std::string> contradictions;   ///< one line each, with file, name, expected and actual value
    std::size_t needed = 0;                    ///< names that the program reads from outside itself
    std::size_t found = 0;                     ///< of these, in the files
    std::size_t verified = 0;                  ///< of these, with contents that are known to be right
    std::vector<std::string> verifiedBy;       ///< "SHA-256 in the names", "model.etrecord"
    std::vector<std::string> unknownBackends;  ///< payloads that may need more
};

/// Expected and actual layout of an external tensor, for messages: "is float32 [3, 2], but the program
/// expects float32 [2, 3]". Nothing if they agree.
[[nodiscard]] std::optional<std::string> layoutDifference(const program::TensorInfo& tensor,
                                                          const program::TensorDataEntry& entry);

/// Whether a program and tensor data files were exported together.
[[nodiscard]] DataCheck checkData(const DataQuestion& question);

/// The result in one sentence, without contradictions: "4 of 4 names and sizes fit; …". Empty if nothing is
/// needed.
[[nodiscard]] std::string summary(const DataCheck& check, const DataQuestion& question);

}  // namespace et::inspector
