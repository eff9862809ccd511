#pragma once

#include <QElapsedTimer>
#include <QObject>
#include <QTimerEvent>

#include <algorithm>
#include <ctime>

namespace et::benchmarks {

/// Detects when the GUI thread, to which it belongs, does not return to its event loop for long.
class Heartbeat : public QObject {
  public:
    Heartbeat() {
        restart();
        startTimer(1, Qt::PreciseTimer);
    }

    void restart() {
        clock.start();
        busy = processorMilliseconds();
        longest = 0;
        longestBusy = 0;
    }
    [[nodiscard]] double longestMilliseconds() const { return longest; }
    /// Longest CPU time of the thread between two returns to the event loop; other processes' load is
    /// excluded.
    [[nodiscard]] double longestProcessorMilliseconds() const { return longestBusy; }

  protected:
    void timerEvent(QTimerEvent*) override {
        longest = std::max(longest, static_cast<double>(clock.nsecsElapsed()) / 1e6);
        clock.start();
        const double now = processorMilliseconds();
        longestBusy = std::max(longestBusy, now - busy);
        busy = now;
    }

  private:
    [[nodiscard]] static double processorMilliseconds() {
        timespec now{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
    }

    QElapsedTimer clock;
    double busy = 0;
    double longest = 0;
    double longestBusy = 0;
};

}  // namespace et::benchmarks
