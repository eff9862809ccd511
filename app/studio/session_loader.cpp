#include "app/studio/session_loader.h"

#include <QMetaObject>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace et::studio {

namespace {

using namespace std::chrono_literals;

constexpr auto slowAfter = 500ms;
/// Maximum time that closing waits for a worker that reads endless input (a pipe without a writer).
constexpr auto patience = 2s;

}  // namespace

/// State shared by a worker and the loader; a hanging worker may outlive the loader.
struct SessionLoader::Mailbox {
    std::mutex mutex;
    std::condition_variable changed;
    bool finished = false;
    SessionLoader* receiver = nullptr;  ///< null once the result was dropped
};

struct SessionLoader::Task {
    std::shared_ptr<Mailbox> mailbox = std::make_shared<Mailbox>();
    std::jthread thread;
};

SessionLoader::SessionLoader(QObject* parent) : QObject(parent) {
    slowTimer.setSingleShot(true);
    slowTimer.setInterval(slowAfter);
    connect(&slowTimer, &QTimer::timeout, this, &SessionLoader::slow);
}

SessionLoader::~SessionLoader() {
    abandon();
    for (const std::unique_ptr<Task>& task : abandoned) {
        Mailbox& mailbox = *task->mailbox;
        std::unique_lock lock(mailbox.mutex);
        if (!mailbox.changed.wait_for(lock, patience, [&] { return mailbox.finished; })) {
            task->thread.detach();
        }
    }
}

void SessionLoader::open(std::vector<std::filesystem::path> paths, inspector::JoinOptions options,
                         std::shared_ptr<const inspector::Session> current, OpenEffect arrival) {
    start([paths = std::move(paths), options = std::move(options), current = std::move(current),
           arrival](const std::stop_token& stop) {
        return current && arrival != OpenEffect::Fresh ? add(paths, *current, arrival, options, stop)
                                                       : load(paths, options, stop);
    });
}

void SessionLoader::reopen(inspector::SessionFiles files, inspector::JoinOptions options) {
    start([files = std::move(files), options = std::move(options)](const std::stop_token& stop) {
        return loadFiles(files, options, stop);
    });
}

void SessionLoader::rejoin(std::shared_ptr<const inspector::Session> session,
                           inspector::JoinOptions options) {
    start([session = std::move(session), options = std::move(options)](const std::stop_token&) {
        return studio::rejoin(*session, options);
    });
}

void SessionLoader::start(Work work) {
    abandon();
    running = std::make_unique<Task>();
    running->mailbox->receiver = this;
    slowTimer.start();
    running->thread =
        std::jthread([box = running->mailbox, work = std::move(work)](const std::stop_token& stop) {
            LoadOutcome outcome = work(stop);
            const std::scoped_lock lock(box->mutex);
            box->finished = true;
            box->changed.notify_all();
            if (SessionLoader* const loader = box->receiver) {
                const auto deliver = [loader, box, outcome = std::move(outcome)] {
                    loader->deliver(box.get(), outcome);
                };
                QMetaObject::invokeMethod(loader, deliver, Qt::QueuedConnection);
            }
        });
}

void SessionLoader::cancel() {
    if (running) {
        abandon();
        emit cancelled();
    }
}

void SessionLoader::abandon() {
    slowTimer.stop();
    std::erase_if(abandoned, [](const std::unique_ptr<Task>& task) {
        const std::scoped_lock lock(task->mailbox->mutex);
        return task->mailbox->finished;
    });
    if (running) {
        running->thread.request_stop();
        const std::scoped_lock lock(running->mailbox->mutex);
        running->mailbox->receiver = nullptr;
        abandoned.push_back(std::move(running));
    }
}

void SessionLoader::deliver(const Mailbox* from, const LoadOutcome& outcome) {
    if (!running || running->mailbox.get() != from) {
        return;  // cancelled after it was queued
    }
    slowTimer.stop();
    running.reset();
    emit finished(outcome);
}

}  // namespace et::studio
