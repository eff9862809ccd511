#include "app/tasks/debug/recording_file.h"

// A placeholder until recordings can be saved.
namespace et::tasks {

core::Result<> RecordingFile::save(const Timeline& /*timeline*/, const std::filesystem::path& /*file*/) {
    return core::fail(core::ErrorCode::Unsupported, "recordings cannot be saved yet");
}

core::Result<std::unique_ptr<Timeline>> RecordingFile::open(const std::filesystem::path& /*file*/,
                                                            std::unique_ptr<Model> /*model*/,
                                                            const TimelineOptions& /*options*/) {
    return core::fail(core::ErrorCode::Unsupported, "recordings cannot be opened yet");
}

std::vector<std::string> RecordingFile::limitations(const Timeline& /*timeline*/) {
    return {};
}

}  // namespace et::tasks
