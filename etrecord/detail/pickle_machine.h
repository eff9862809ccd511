#pragma once

#include "etrecord/pickle.h"
#include "runtime/core/byte_reader.h"

#include <fmt/format.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace et::etrecord::detail {

/// Stack machine that executes a pickle.
class PickleMachine {
  public:
    PickleMachine(core::Bytes bytes, std::string_view fieldName, std::span<const PickleCallable> allowed,
                  const PickleLimits& bounds)
        : reader(bytes), text(bytes), name(fieldName), callables(allowed), limits(bounds) {}

    core::Result<Pickle> run();

    // Opcode operations, grouped by family. Errors contain the opcode's offset.
    core::Result<> protocol();
    core::Result<> frame();
    core::Result<> push(PickleValue value);
    template <class T>
    core::Result<> pushInteger();
    template <class Length>
    core::Result<> pushLong();
    core::Result<> pushFloat();
    template <class Length>
    core::Result<> pushText();
    template <class Length>
    core::Result<> pushBytes();
    core::Result<> pushGlobal();
    core::Result<> pushStackGlobal();
    core::Result<> pushPersistent();
    core::Result<> mark();
    core::Result<> pop();
    core::Result<> popMark();
    core::Result<> duplicate();
    template <std::size_t Count>
    core::Result<> tuple();
    core::Result<> tupleFromMark();
    core::Result<> listFromMark();
    core::Result<> dictFromMark();
    core::Result<> append();
    core::Result<> appends();
    core::Result<> setItem();
    core::Result<> setItems();
    core::Result<> call();
    core::Result<> callWithKeywords();
    core::Result<> build();
    template <class Key>
    core::Result<> put();
    core::Result<> memoize();
    template <class Key>
    core::Result<> get();
    core::Result<> stop();

  private:
    [[nodiscard]] std::unexpected<core::Error> error(core::ErrorCode code, std::string_view message) const {
        return core::fail(code, fmt::format("pickle, byte {}: {}", opcodeAt, message),
                          {.field = std::string(name)});
    }
    [[nodiscard]] std::unexpected<core::Error> underflow() const {
        return error(core::ErrorCode::Format, "stack underflow");
    }

    template <class T>
    core::Result<T> readNumber();
    core::Result<core::Bytes> take(std::uint64_t size);
    template <class Length>
    core::Result<core::Bytes> takeSized();
    core::Result<std::string_view> takeLine();

    core::Result<PickleId> popValue();
    core::Result<std::vector<PickleId>> popToMark();
    core::Result<PickleId> topContainer();
    core::Result<> remember(std::uint64_t key);
    core::Result<> addItems(PickleId container, std::span<const PickleId> items);
    core::Result<> addMembers(PickleId container, std::span<const PickleId> keysAndValues);
    core::Result<> makeCall(PickleId callable, PickleId arguments);

    core::ByteReader reader;
    core::Bytes text;
    std::string_view name;
    std::span<const PickleCallable> callables;
    PickleLimits limits;
    std::size_t opcodeAt = 0;
    bool done = false;

    Pickle pickle;
    std::vector<PickleId> stack;
    std::vector<std::size_t> marks;  ///< stack heights
    std::unordered_map<std::uint64_t, PickleId> memo;
};

}  // namespace et::etrecord::detail
