#include "app/agent/session.h"

#include "app/agent/loaded_module.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

namespace et::agent {
namespace {

namespace fs = std::filesystem;
using core::Bytes;
using core::ErrorCode;
using core::fail;
using core::Result;
using wire::Frame;
using wire::FrameKind;

/// Age at which abandoned session folders and interrupted uploads are removed.
constexpr std::chrono::hours oldAge{24};

bool isName(std::string_view text) {
    constexpr std::size_t longest = 64;
    return !text.empty() && text.size() <= longest && std::ranges::all_of(text, [](char each) {
        return (each >= '0' && each <= '9') || (each >= 'a' && each <= 'z');
    });
}

void removeOld(const fs::path& folder, std::string_view extension) {
    std::error_code unknown;
    const auto now = fs::file_time_type::clock::now();
    for (const fs::directory_entry& each : fs::directory_iterator(folder, unknown)) {
        if (!extension.empty() && each.path().extension() != extension) {
            continue;
        }
        if (const auto changed = each.last_write_time(unknown); !unknown && now - changed > oldAge) {
            fs::remove_all(each.path(), unknown);
        }
    }
}

Frame done() {
    return {.kind = FrameKind::Done, .body = {}};
}

}  // namespace

Session::Session(SessionSettings given, Channel connection, FileStore store)
    : settings(std::move(given)), channel(std::move(connection)), files(std::move(store)) {
}
Session::~Session() = default;

fs::path Session::workFolder() const {
    return settings.folder / "work" / settings.name;
}

Result<std::unique_ptr<Session>> Session::open(SessionSettings settings, Channel channel) {
    if (!isName(settings.name)) {
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("expected a name of lower-case letters and digits, got \"{}\"",
                                core::printable(settings.name)));
    }
    ET_ASSIGN(FileStore files, FileStore::open(settings.folder / "files"));
    files.trim(settings.keptBytes);
    removeOld(settings.folder / "work", "");
    removeOld(settings.folder / "bin", ".part");
    std::unique_ptr<Session> session(new Session(std::move(settings), std::move(channel), std::move(files)));
    std::error_code failed;
    fs::create_directories(session->workFolder(), failed);
    if (failed) {
        return std::unexpected(
            core::systemError("cannot create the folder", failed.value(), session->workFolder().string()));
    }
    return session;
}

Result<bool> Session::step() {
    Frame frame;
    ET_TRY(wire::readFrame(channel.read, frame));
    ET_TRY(answer(frame));
    return !isOver;
}

Result<> Session::answer(const Frame& frame) {
    if (frame.kind == FrameKind::Data) {
        // A write error is reported when the file is complete.
        static_cast<void>(files.append(frame.body));
        return {};
    }
    auto replied = reply(frame);
    if (!replied) {
        return channel.write(FrameKind::Failed, wire::encode(replied.error()));
    }
    return channel.write(replied->kind, replied->body);
}

Result<Frame> Session::reply(const Frame& frame) {
    switch (frame.kind) {
        case FrameKind::Put: {
            ET_ASSIGN(const wire::PutRequest request, wire::decode<wire::PutRequest>(frame.body));
            ET_ASSIGN(const std::uint64_t have, files.begin(request));
            return Frame{.kind = FrameKind::Have, .body = wire::encode(have)};
        }
        case FrameKind::PutEnd:
            ET_TRY(files.finish());
            return done();
        case FrameKind::Open:
            return open(frame.body);
        case FrameKind::Load:
            return load(frame.body);
        case FrameKind::Execute:
            return execute(frame.body);
        case FrameKind::Fetch:
            return fetch(frame.body);
        case FrameKind::Close: {
            ET_ASSIGN(const std::uint64_t module, wire::decodeNumber(frame.body));
            modules.erase(static_cast<std::uint32_t>(module));
            return done();
        }
        case FrameKind::Describe:
            return Frame{.kind = FrameKind::Described, .body = wire::encode(gauge.describe())};
        case FrameKind::Bye: {
            isOver = true;
            std::error_code unknown;
            fs::remove_all(workFolder(), unknown);
            return done();
        }
        default:
            return fail(ErrorCode::Format,
                        fmt::format("unexpected frame kind {}", static_cast<int>(frame.kind)));
    }
}

Result<Frame> Session::open(Bytes body) {
    ET_ASSIGN(const wire::OpenRequest request, wire::decode<wire::OpenRequest>(body));
    if (modules.contains(request.module)) {
        return fail(ErrorCode::InvalidArgument, fmt::format("module {} is already open", request.module));
    }
    ET_ASSIGN(const fs::path program, files.find(request.program));
    std::vector<fs::path> data;
    for (const std::string& each : request.tensorData) {
        ET_ASSIGN(fs::path path, files.find(each));
        data.push_back(std::move(path));
    }
    ET_ASSIGN(auto opened, LoadedModule::open(request, program, data, cancelled,
                                              [this](const wire::Query& query) { return ask(query); }));
    modules.emplace(request.module, std::move(opened));
    return done();
}

Result<LoadedModule*> Session::find(std::uint32_t module) {
    const auto found = modules.find(module);
    if (found == modules.end()) {
        return fail(ErrorCode::NotFound, fmt::format("module {} is not open", module));
    }
    return found->second.get();
}

Result<Frame> Session::load(Bytes body) {
    ET_ASSIGN(const wire::LoadRequest request, wire::decode<wire::LoadRequest>(body));
    ET_ASSIGN(LoadedModule * module, find(request.module));
    ET_ASSIGN(const std::uint64_t time, module->load(request.method, request.listening));
    const std::vector<std::byte> tape = module->takeTape();
    return Frame{.kind = FrameKind::Loaded,
                 .body = wire::encode(
                     wire::LoadReply{.nanoseconds = time, .names = module->takeNames(), .tape = tape})};
}

Result<Frame> Session::execute(Bytes body) {
    ET_ASSIGN(const wire::ExecuteRequest request, wire::decode<wire::ExecuteRequest>(body));
    ET_ASSIGN(LoadedModule * module, find(request.module));
    wire::ExecuteReply reply{.before = gauge.read(), .after = {}, .names = {}, .tapes = {}, .outputs = {}};
    ET_ASSIGN(const LoadedModule::Run run, module->execute(request));
    reply.after = gauge.read();
    reply.nanoseconds = run.nanoseconds;
    reply.instructions = run.instructions;
    reply.outputs = run.outputs;
    std::vector<std::vector<std::byte>> tapes;
    if (request.listening.isOn) {
        ET_ASSIGN(tapes, module->keep(request.keep, run));
    }
    reply.tapes.assign(tapes.begin(), tapes.end());
    reply.names = module->takeNames();
    Frame answer{.kind = FrameKind::Ran, .body = wire::encode(reply)};
    ET_TRY(keepAnswer(request.number, answer.body));
    return answer;
}

/// Stores the answer, so that a run is not lost if its connection breaks before the answer arrives. Not
/// synced to disk: it need not survive a restart of the device, and syncing would take longer than most runs.
Result<> Session::keepAnswer(std::uint64_t number, Bytes body) {
    const fs::path path = workFolder() / fmt::format("answer-{}", number);
    const fs::path part = path.string() + ".part";
    core::Descriptor file(::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    int failed = file ? core::writeAll(file.get(), body) : errno;
    failed = failed != 0 ? failed : file.close();
    if (failed == 0 && ::rename(part.c_str(), path.c_str()) != 0) {
        failed = errno;
    }
    if (failed != 0) {
        return std::unexpected(core::systemError("cannot write", failed, path.string()));
    }
    std::error_code unknown;
    if (number > 0) {
        fs::remove(workFolder() / fmt::format("answer-{}", number - 1), unknown);
    }
    return {};
}

Result<Frame> Session::fetch(Bytes body) {
    ET_ASSIGN(const wire::FetchRequest request, wire::decode<wire::FetchRequest>(body));
    const auto file = core::MappedFile::open(workFolder() / fmt::format("answer-{}", request.number));
    if (!file || request.offset > (*file)->bytes().size()) {
        return Frame{.kind = FrameKind::Missing, .body = {}};
    }
    const Bytes rest = (*file)->bytes().subspan(request.offset);
    return Frame{.kind = FrameKind::Data, .body = {rest.begin(), rest.end()}};
}

bool Session::ask(const wire::Query& query) {
    Frame frame;
    if (!channel.write(FrameKind::Query, wire::encode(query)) || !wire::readFrame(channel.read, frame) ||
        frame.kind != FrameKind::Answer) {
        return false;
    }
    return wire::decodeNumber(frame.body).value_or(0) != 0;
}

}  // namespace et::agent
