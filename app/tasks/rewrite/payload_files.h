#pragma once

#include "backends/payload_bytes.h"
#include "runtime/core/result.h"
#include "runtime/program/program.h"
#include "runtime/program/tensor_data.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace et::tasks {

/// Selects the payload of a delegate and the output file.
struct PayloadSettings {
    std::filesystem::path model;
    std::vector<std::filesystem::path> tensorData;
    std::string method;        ///< empty: the only method, or "forward"
    std::size_t delegate = 0;  ///< index in the method
    std::filesystem::path output;
};

/// A file that was written next to the payload.
struct PayloadFile {
    std::string name;                     ///< as in the payload or the program
    std::filesystem::path file;           ///< in the folder; differs from the name if that is no file name
    std::optional<std::size_t> offset{};  ///< in the payload; nothing: in named data
    std::uint64_t bytes = 0;
};

struct PayloadResult {
    std::string method;
    std::size_t delegate = 0;
    std::string backend;
    std::filesystem::path file;            ///< the payload, byte for byte
    backends::PayloadBytes bytes;          ///< of the payload
    std::filesystem::path folder{};        ///< of the other files; empty: there are none
    std::vector<PayloadFile> parts{};      ///< of a container
    std::vector<PayloadFile> namedData{};  ///< in "named_data"
    std::vector<std::string> missing{};    ///< names of required data that no file has
};

/// Folder of the parts and named data of a payload: "FILE.parts".
[[nodiscard]] std::filesystem::path payloadFolder(const std::filesystem::path& file);

/// Writes the payload of a delegate to a file, and its parts and named data to payloadFolder(). The folder
/// appears complete or not at all. Errors: NotFound (no such method or delegate), InvalidArgument (the output
/// is an input file, or the folder exists and is not empty), Limit (parts that overlap many times),
/// Cancelled, Io.
[[nodiscard]] core::Result<PayloadResult> extractPayload(const PayloadSettings& settings);
/// The same for an open program; `settings.model` and `settings.tensorData` are the paths of its files.
[[nodiscard]] core::Result<PayloadResult> extractPayload(
    const program::Program& program, std::span<const std::shared_ptr<const program::TensorData>> tensorData,
    const PayloadSettings& settings);

}  // namespace et::tasks
