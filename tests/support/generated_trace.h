#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace et::test {

/// A trace of `runs` blocks "Execute", each with exactly `eventsPerRun` (at least 1) profile events and the
/// same events in each run: kernels ("native_call_…", OPERATOR_CALL), delegate calls with four delegated
/// events inside, Method::execute last. Every event of a run differs from the others by name, instruction or
/// delegate id. Times are nanoseconds from a seeded generator; strings are written as the runtime does, one
/// copy per event. The seed affects only the times.
[[nodiscard]] std::vector<std::byte> makeTrace(std::size_t runs, std::size_t eventsPerRun,
                                               std::uint32_t seed = 0);

/// makeTrace() in a temporary file that is removed on destruction.
class GeneratedTraceFile {
  public:
    GeneratedTraceFile(std::size_t runs, std::size_t eventsPerRun);
    ~GeneratedTraceFile();
    GeneratedTraceFile(const GeneratedTraceFile&) = delete;
    GeneratedTraceFile& operator=(const GeneratedTraceFile&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return location; }

  private:
    std::filesystem::path location;
};

}  // namespace et::test
