#pragma once

#include <et_inspect/result.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace et_inspect {

/// How a file gets into memory.
enum class LoadMode : std::uint8_t {
    Mmap,        ///< mapped: pages are read when used and shared between processes
    MmapLocked,  ///< mapped, read completely and locked in memory, if the system's limit allows it
    File,        ///< read into memory
};

/// Reads a program or weights from anywhere. Called on the thread that loads.
class DataLoader {
  public:
    virtual ~DataLoader() = default;
    /// In bytes. Errors: those of the loader; passed on.
    virtual Result<std::uint64_t> size() = 0;
    /// Fills `buffer` with the bytes from `offset` on.
    virtual Result<void> load(std::uint64_t offset, std::span<std::byte> buffer) = 0;
};

/// Place of a program or of weights.
class Source {
  public:
    struct File {
        std::string path;
        LoadMode mode = LoadMode::Mmap;
    };
    using Place = std::variant<File, std::vector<std::byte>, std::shared_ptr<DataLoader>>;

    Source(const char* path) : where(File{path}) {}
    Source(std::string path, LoadMode mode = LoadMode::Mmap) : where(File{std::move(path), mode}) {}
    /// Bytes in memory; `label` is used in error messages.
    Source(std::vector<std::byte> bytes, std::string label = "<memory>")
        : where(std::move(bytes)), shown(std::move(label)) {}
    Source(std::shared_ptr<DataLoader> loader, std::string label = "<loader>")
        : where(std::move(loader)), shown(std::move(label)) {}

    const Place& place() const { return where; }
    Place& place() { return where; }
    const std::string& label() const { return shown; }

  private:
    Place where;
    std::string shown;
};

}  // namespace et_inspect
