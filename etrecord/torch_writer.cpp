#include "etrecord/torch_writer.h"

#include "etrecord/detail/storage_classes.h"
#include "runtime/archive/zip_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

namespace et::etrecord {
namespace {

using archive::Entries;
using core::ErrorCode;
using core::fail;
using core::Result;

/// Opcodes of pickle, protocol 2 (https://docs.python.org/3/library/pickletools.html).
namespace opcode {
constexpr std::string_view protocol2("\x80\x02", 2);
constexpr char stop = '.';
constexpr char mark = '(';
constexpr char tuple = 't';
constexpr char emptyTuple = ')';
constexpr char emptyList = ']';
constexpr char appends = 'e';
constexpr char emptyDict = '}';
constexpr char setItems = 'u';
constexpr char text = 'X';
constexpr char int32 = 'J';
constexpr std::string_view int64("\x8a\x08", 2);
constexpr char global = 'c';
constexpr char reduce = 'R';
constexpr char persistentId = 'Q';
constexpr char newTrue = '\x88';
constexpr char newFalse = '\x89';
}  // namespace opcode

class ArchiveWriter {
  public:
    Result<core::FileContent> write(const ArchiveValue& value) {
        pickle = opcode::protocol2;
        ET_TRY(add(value));
        pickle += opcode::stop;
        Entries entries{{"archive/data.pkl", archive::textContent(pickle)},
                        {"archive/byteorder", archive::textContent("little")}};
        entries.insert(entries.end(), std::make_move_iterator(storages.begin()),
                       std::make_move_iterator(storages.end()));
        entries.emplace_back("archive/version", archive::textContent("3\n"));
        return archive::storeEntries(entries);
    }

    Result<> operator()(const ArchiveValue::List& list) {
        pickle += opcode::emptyList;
        pickle += opcode::mark;
        ET_TRY(addItems(list));
        pickle += opcode::appends;
        return {};
    }
    Result<> operator()(const ArchiveValue::Tuple& tuple) {
        pickle += opcode::mark;
        ET_TRY(addItems(tuple.items));
        pickle += opcode::tuple;
        return {};
    }
    Result<> operator()(const ArchiveValue::Dict& dict) {
        pickle += opcode::emptyDict;
        pickle += opcode::mark;
        for (const auto& [key, value] : dict) {
            addText(key);
            ET_TRY(add(value));
        }
        pickle += opcode::setItems;
        return {};
    }
    Result<> operator()(const TensorToArchive& tensor) {
        if (!tensor.parameter) {
            return addTensor(tensor);
        }
        addGlobal("torch._utils", "_rebuild_parameter");
        pickle += opcode::mark;
        ET_TRY(addTensor(tensor));
        pickle += opcode::newTrue;  // requires_grad
        addHooks();
        pickle += opcode::tuple;
        pickle += opcode::reduce;
        return {};
    }

  private:
    Result<> add(const ArchiveValue& value) { return std::visit(*this, value.content); }
    Result<> addItems(const ArchiveValue::List& items) {
        for (const ArchiveValue& item : items) {
            ET_TRY(add(item));
        }
        return {};
    }

    void addLittleEndian(std::uint64_t number, std::size_t bytes) {
        for (std::size_t i = 0; i < bytes; ++i) {
            pickle += static_cast<char>(number >> (8 * i));
        }
    }
    void addText(std::string_view text) {
        pickle += opcode::text;
        addLittleEndian(text.size(), 4);
        pickle += text;
    }
    void addInteger(std::int64_t number) {
        if (std::in_range<std::int32_t>(number)) {
            pickle += opcode::int32;
            addLittleEndian(static_cast<std::uint64_t>(number), 4);
            return;
        }
        pickle += opcode::int64;
        addLittleEndian(static_cast<std::uint64_t>(number), 8);
    }
    void addIntegers(const std::vector<std::int64_t>& numbers) {
        pickle += opcode::mark;
        std::ranges::for_each(numbers, [&](std::int64_t number) { addInteger(number); });
        pickle += opcode::tuple;
    }
    void addGlobal(std::string_view module, std::string_view name) {
        pickle += opcode::global;
        pickle += fmt::format("{}\n{}\n", module, name);
    }
    /// Adds a tensor's backward hooks: none.
    void addHooks() {
        addGlobal("collections", "OrderedDict");
        pickle += opcode::emptyTuple;
        pickle += opcode::reduce;
    }

    Result<> addTensor(const TensorToArchive& tensor) {
        const auto code = static_cast<std::int8_t>(tensor.dtype);
        const auto* storage =
            std::ranges::find(detail::storageClasses, code, &detail::StorageClass::scalarType);
        const auto bytes = core::tensorBytes(code, tensor.sizes);
        if (storage == detail::storageClasses.end() || !bytes) {
            return fail(ErrorCode::Unsupported, fmt::format("tensors of {} are not supported in an archive",
                                                            core::scalarTypeName(tensor.dtype)));
        }
        if (std::cmp_not_equal(*bytes, tensor.elements.size())) {
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("expected {} bytes for a tensor [{}], got {}", *bytes,
                                    fmt::join(tensor.sizes, ", "), tensor.elements.size()));
        }
        addGlobal("torch._utils", "_rebuild_tensor_v2");
        pickle += opcode::mark;
        addStorage(tensor, storage->name, *bytes);
        addInteger(0);  // offset in the storage
        addIntegers(tensor.sizes);
        addIntegers(rowMajorStrides(tensor.sizes));
        pickle += opcode::newFalse;  // no gradients
        addHooks();
        pickle += opcode::tuple;
        pickle += opcode::reduce;
        return {};
    }

    void addStorage(const TensorToArchive& tensor, std::string_view storageClass, std::int64_t bytes) {
        const std::string key = std::to_string(storages.size());
        const auto width = static_cast<std::int64_t>(core::elementBytes(tensor.dtype));
        pickle += opcode::mark;
        addText("storage");
        addGlobal("torch", storageClass);
        addText(key);
        addText("cpu");
        addInteger(bytes / std::max<std::int64_t>(width, 1));
        pickle += opcode::tuple;
        pickle += opcode::persistentId;
        storages.emplace_back(fmt::format("archive/data/{}", key), core::FileContent());
        storages.back().second.appendBorrowed(tensor.elements);
    }

    static std::vector<std::int64_t> rowMajorStrides(const std::vector<std::int64_t>& sizes) {
        std::vector<std::int64_t> strides(sizes.size(), 1);
        for (std::size_t i = sizes.size(); i-- > 1;) {
            strides[i - 1] = strides[i] * std::max<std::int64_t>(sizes[i], 1);
        }
        return strides;
    }

    std::string pickle;
    Entries storages;
};

}  // namespace

Result<core::FileContent> torchArchiveFile(const ArchiveValue& value) {
    return ArchiveWriter().write(value);
}

Result<std::vector<std::byte>> writeTorchArchive(const ArchiveValue& value) {
    return torchArchiveFile(value).transform([](const core::FileContent& file) { return file.joined(); });
}

}  // namespace et::etrecord
