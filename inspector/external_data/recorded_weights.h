#pragma once

#include "etrecord/record.h"
#include "etrecord/torch_archive.h"
#include "runtime/core/mapped_file.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace et::inspector {

/// Result of comparing data with a record.
enum class RecordVerdict : std::uint8_t {
    Unknown,  ///< the record does not contain it, or in another form
    Same,
    Different,
};

/// Weights, buffers and constants of a record. Elements are compared regardless of their order, because
/// compilers permute them.
class RecordedWeights {
  public:
    /// `record` must outlive it.
    explicit RecordedWeights(const etrecord::Record& record);

    /// Compares data with the tensors of the record that have its name and size.
    [[nodiscard]] RecordVerdict compare(std::string_view name, core::Bytes data) const;

    /// Compares data in which a compiler packed all weights of a method, one after the other: different if
    /// the sizes add up, but some tensor is not in it.
    [[nodiscard]] RecordVerdict compareBlob(core::Bytes blob) const;

  private:
    struct Graph {
        std::vector<etrecord::TorchArchive> archives;
    };

    const etrecord::Record& record;
    std::vector<Graph> graphs;
};

}  // namespace et::inspector
