#pragma once

#include <QObject>
#include <QTimer>

#include <deque>
#include <functional>
#include <mutex>

namespace et::studio {

/// Queue of results from threads for the GUI thread, which takes one per iteration of its event loop, so that
/// it can paint and process input in between: opening files starts a dozen tasks whose results arrive at
/// once.
class ResultQueue : public QObject {
    Q_OBJECT

  public:
    /// The application-wide instance; created and owned by the GUI thread.
    [[nodiscard]] static ResultQueue& shared();

    /// Thread-safe. `take` is called on the GUI thread, in the order of add().
    void add(std::function<void()> take);

  private:
    explicit ResultQueue(QObject* parent);
    void takeNext();

    QTimer turn;
    std::mutex mutex;
    std::deque<std::function<void()>> waiting;
};

}  // namespace et::studio
