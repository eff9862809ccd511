#pragma once

#include "runtime/core/file_content.h"
#include "runtime/core/mapped_file.h"
#include "runtime/core/result.h"
#include "runtime/core/scalar_type.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace et::etrecord {

/// A row-major tensor to archive. Its elements are borrowed.
struct TensorToArchive {
    core::ScalarType dtype = core::ScalarType::Float;
    std::vector<std::int64_t> sizes;
    core::Bytes elements;
    bool parameter = false;  ///< torch.nn.Parameter
};

/// Content of an archive: tensors in Python containers.
struct ArchiveValue {
    using List = std::vector<ArchiveValue>;
    struct Member;
    using Dict = std::vector<Member>;
    struct Tuple {
        List items;
    };
    std::variant<TensorToArchive, List, Tuple, Dict> content;
};

/// A dictionary entry.
struct ArchiveValue::Member {
    std::string key;
    ArchiveValue value;
};

/// Writes the same archive as torch.save(value): a zip with a pickle (protocol 2) and one storage per tensor.
/// Errors: InvalidArgument (elements that do not fill the sizes), Unsupported (a dtype without a typed
/// storage), Io.
[[nodiscard]] core::Result<std::vector<std::byte>> writeTorchArchive(const ArchiveValue& value);
/// The same archive, which borrows the elements.
[[nodiscard]] core::Result<core::FileContent> torchArchiveFile(const ArchiveValue& value);

}  // namespace et::etrecord
