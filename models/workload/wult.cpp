// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/kernel.hpp"
#include "models/workload/workload.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <fmt/format.h>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

/// The delayed event: an hrtimer measured at its expiry (wult_hrt), the same measured at the entry
/// of the local timer's interrupt (wult_tdt), or an interrupt of a network card (wult_igb).
enum class DelayedEvent { hrt, tdt, nic };

}  // namespace
}  // namespace idlesim

namespace idlesim::config {

template <>
struct EnumNames<idlesim::DelayedEvent> {
    static constexpr std::pair<std::string_view, idlesim::DelayedEvent> values[] = {
        {"hrt", DelayedEvent::hrt}, {"tdt", DelayedEvent::tdt}, {"nic", DelayedEvent::nic}};
};

}  // namespace idlesim::config

namespace idlesim {
namespace {

/// wult (1.12.65): arms an event a random distance ahead, lets the CPU go idle, and takes the time
/// at the cpu_idle tracepoints (TBI, TAI) and in the event's handler (TIntr). LTime is the instant
/// of the event. WakeLatency = TAI - LTime, IntrLatency = TIntr - LTime, the hook that ran in
/// between subtracted. A point counts only when TBI < LTime < TAI and LTime < TIntr; others are
/// dropped without a word (wultdata/drivers/idle/wult/tracer.c).
class Wult final : public Workload, private CpuListener {
public:
    struct Params {
        int cpu = 0;
        DelayedEvent device = DelayedEvent::hrt;
        Duration ldist_min = 1us;
        Duration ldist_max = 4ms;
        std::int64_t datapoints = 10'000;
    };

    explicit Wult(Params params) : params_{params} {}

    [[nodiscard]] std::vector<int> cpus(const Topology&) const override { return {params_.cpu}; }

    [[nodiscard]] std::string_view idle_hook() const override { return "wult_hook"; }

    void check(const PlatformSpec&,
               const config::Location& where,
               config::Diagnostics& diagnostics) const override {
        if (params_.ldist_max < params_.ldist_min) {
            diagnostics.error(where, "wult: ldist_max is less than ldist_min");
        }
    }

    void set_up(Kernel& kernel, const MeasurementOptions& options) override {
        Machine& machine = kernel.machine();
        kernel_ = &kernel;
        cpu_ = &machine.cpu(params_.cpu);
        cpu_->set_listener(this);
        timers_ = &kernel.timers(params_.cpu);
        hardware_ = machine.cstates();
        hook_step_ = machine.steps().id("wult_hook");
        distance_ = Distribution::uniform(params_.ldist_min, params_.ldist_max);
        stream_ = std::make_unique<RandomStream>(machine.stream("wult.ldist"));
        card_ = std::make_unique<Event>(
            machine.simulation(), "wult.card", Phase::interrupt, bind<&Wult::card_fires>(this));
        message_ = std::make_unique<Event>(
            machine.simulation(), "wult.message", Phase::interrupt, bind<&Wult::interrupt>(this));
        add_armer(kernel);
        if (params_.device == DelayedEvent::nic) {
            add_card(kernel);
        }
        name_columns();
        samples_ = SampleTable{"interrupt_latency", machine.steps().names(), options.sample_rows};
        samples_.reserve(std::min(params_.datapoints, kMostReserved));
    }

    [[nodiscard]] double progress() const override {
        return static_cast<double>(samples_.count()) / static_cast<double>(params_.datapoints);
    }

    void collect(RunResult& result) override {
        ScalarSeries wake{"wake_latency", "ns", {}};
        for (const Duration latency : points_.wake_latency()) {
            wake.values.push_back(static_cast<double>(latency.count()) / kPicosecondsPerNanosecond);
        }
        result.series.push_back(std::move(wake));
        result.samples = std::move(samples_);
        result.wult = std::move(points_);
    }

private:
    static constexpr std::int64_t kMostReserved = 10'000'000;
    static constexpr double kPicosecondsPerNanosecond = 1000;

    [[nodiscard]] std::string device_name() const {
        for (const auto& [name, device] : config::EnumNames<DelayedEvent>::values) {
            if (device == params_.device) {
                return std::string{name};
            }
        }
        return {};
    }

    void add_armer(Kernel& kernel) {
        Task& armer = kernel.add_task("wult_armer", params_.cpu);
        armer_ = &armer;
        ProgramBuilder b = kernel.machine().program("wult_armer");
        const Label loop = b.label();
        b.bind(loop).work("nanosleep_call");
        if (params_.device == DelayedEvent::nic) {
            b.effect(effect_of<&Wult::arm_card>(this), 0, "hrtimer_start");
        } else {
            timer_.wakes = &armer;
            timer_.path = &path_;
            kernel.emit_timer_start(b, effect_of<&Wult::arm_timer>(this));
        }
        kernel.emit_schedule(b);
        b.effect(effect_of<&Wult::handler_has_run>(this), 0, "nanosleep_return").jump(loop);
        armer.program = &kernel.machine().keep(b.finish());
        kernel.make_runnable(armer);
    }

    void add_card(Kernel& kernel) {
        vector_ = kernel.allocate_vector();
        const Program& handler = kernel.machine().keep(
            kernel.measured_interrupt_program("wult_igb", [this](ProgramBuilder& b) {
                b.work("device_handler").work("try_to_wake_up");
                b.effect(effect_of<&Wult::wake_armer>(this), 0, "enqueue_task");
            }));
        cpu_->set_handler(vector_, &handler);
        delivery_ = kernel.machine().costs().id("pcie_wake");
        delivery_step_ = kernel.machine().steps().id("pcie_wake");
    }

    void name_columns() {
        std::vector<std::string> states;
        for (const RegisteredState& state : kernel_->idle_states()) {
            states.push_back(state.declared.name);
        }
        std::vector<std::string> counters;
        for (int state = 0; hardware_ != nullptr && state < hardware_->states(); ++state) {
            std::string name = hardware_->state_name(state);
            std::transform(name.begin(), name.end(), name.begin(), [](char c) {
                return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
            });
            if (is_wult_counter(name) && name != "CC1") {
                counters.push_back(name);
                counter_states_.push_back(state);
            }
        }
        percent_.resize(counters.size());
        points_ = WultPoints{std::move(states), std::move(counters)};
        points_.set_source(params_.cpu, device_name());
    }

    // Effects of the armer.

    [[nodiscard]] Time next_launch(Time now) {
        launch_distance_ = distance_.sample(*stream_);
        launch_ = now + launch_distance_;
        stage_ = Stage::armed;
        return launch_;
    }

    bool arm_timer(LogicalCpu& cpu, std::uint64_t) {
        Kernel::sleep(*armer_);
        return !timers_->start(timer_, next_launch(cpu.now()));
    }

    bool arm_card(LogicalCpu& cpu, std::uint64_t) {
        Kernel::sleep(*armer_);
        cpu.simulation().schedule(*card_, next_launch(cpu.now()));
        return false;
    }

    bool handler_has_run(LogicalCpu& cpu, std::uint64_t) {
        cpu.detach(path_);
        if (stage_ == Stage::complete) {
            keep();
        }
        stage_ = Stage::none;
        return false;
    }

    bool wake_armer(LogicalCpu& cpu, std::uint64_t) {
        kernel_->wake_here(*armer_, cpu);
        return false;
    }

    // The card: its message crosses the bus.

    void card_fires() {
        path_.start(cpu_->now());
        cpu_->simulation().schedule_in(*message_, cpu_->draw(delivery_));
    }

    void interrupt() {
        path_.mark(delivery_step_, cpu_->now());
        cpu_->attach(path_);
        cpu_->raise(vector_);
    }

    // Tracepoints.

    void on_probe(ProbePoint point, LogicalCpu& cpu) override {
        switch (point) {
            case ProbePoint::idle_entry:
                before_idle(cpu);
                break;
            case ProbePoint::idle_exit:
                after_idle(cpu);
                break;
            case ProbePoint::timer_entry:
                if (params_.device == DelayedEvent::tdt) {
                    in_handler(cpu);
                }
                break;
            case ProbePoint::timer_expiry:
                if (params_.device == DelayedEvent::hrt) {
                    in_handler(cpu);
                }
                break;
            case ProbePoint::handler_entry:
                if (params_.device == DelayedEvent::nic && cpu.carries(path_)) {
                    in_handler(cpu);
                }
                break;
            default:
                break;
        }
    }

    void before_idle(const LogicalCpu& cpu) {
        if (stage_ != Stage::armed) {
            return;
        }
        before_ = cpu.now();
        state_ = kernel_->cpuidle_device(params_.cpu)->selected();
        after_ = Time{};
        handler_ = Time{};
        if (hardware_ != nullptr) {
            granted_before_ = hardware_->granted(params_.cpu, before_);
        }
    }

    // The first of the two takes the counters.
    void take_counters(const LogicalCpu& cpu) {
        if (hardware_ != nullptr) {
            granted_after_ = hardware_->granted(params_.cpu, cpu.now());
        }
        total_ = cpu.now() - before_;
    }

    void after_idle(const LogicalCpu& cpu) {
        if (stage_ != Stage::armed || after_ != Time{} || cpu.now() <= launch_) {
            return;
        }
        after_ = cpu.now();
        if (handler_ == Time{}) {
            take_counters(cpu);
        }
        finish_if_complete();
    }

    void in_handler(const LogicalCpu& cpu) {
        if (stage_ != Stage::armed || !cpu.carries(path_)) {
            return;
        }
        handler_ = cpu.now();
        path_.leave_out(hook_step_);
        interrupt_latency_ = path_.total();
        kept_path_ = path_;
        if (after_ == Time{}) {
            take_counters(cpu);
        }
        finish_if_complete();
    }

    void finish_if_complete() {
        if (after_ != Time{} && handler_ != Time{}) {
            stage_ = before_ < launch_ && launch_ < after_ && launch_ < handler_ ? Stage::complete
                                                                                 : Stage::none;
        }
    }

    void keep() {
        WultPoint point;
        point.wake_latency = after_ - launch_;
        point.silent_time = launch_ - before_;
        point.interrupt_latency = interrupt_latency_;
        point.launch_distance = launch_distance_;
        point.interrupts_off = after_ < handler_;
        point.requested_state = static_cast<std::uint8_t>(state_);
        residencies(point);
        points_.append(point, percent_);
        samples_.record(handler_, params_.cpu, interrupt_latency_, kept_path_.parts());
        if (samples_.count() >= params_.datapoints) {
            cpu_->simulation().stop();
        }
    }

    [[nodiscard]] double share(Duration part) const {
        constexpr double kPercent = 100.0;
        return kPercent * static_cast<double>(part.count()) / static_cast<double>(total_.count());
    }

    void residencies(WultPoint& point) {
        Duration asleep{};
        Duration counted{};
        std::size_t counter = 0;
        for (int state = 0; hardware_ != nullptr && state < hardware_->states(); ++state) {
            const auto i = static_cast<std::size_t>(state);
            const bool is_package = hardware_->is_package_state(state);
            const Duration in_state = is_package
                                          ? granted_after_.package[i] - granted_before_.package[i]
                                          : granted_after_.core[i] - granted_before_.core[i];
            asleep += is_package ? Duration::zero() : in_state;
            if (counter < counter_states_.size() && counter_states_[counter] == state) {
                percent_[counter++] = share(in_state);
                counted += is_package ? Duration::zero() : in_state;
            }
        }
        point.cc0_percent = share(total_ - asleep);
        point.cc1_derived_percent = share(asleep - counted);
    }

    enum class Stage { none, armed, complete };

    Params params_;
    Kernel* kernel_ = nullptr;
    LogicalCpu* cpu_ = nullptr;
    CpuTimers* timers_ = nullptr;
    const CStateHardware* hardware_ = nullptr;
    Task* armer_ = nullptr;
    HrTimer timer_;
    Attribution path_;
    Attribution kept_path_;
    StepId hook_step_ = 0;
    Vector vector_ = 0;
    CostId delivery_ = kFree;
    StepId delivery_step_ = 0;
    Distribution distance_ = Distribution::constant(Duration::zero());
    std::unique_ptr<RandomStream> stream_;
    std::unique_ptr<Event> card_;
    std::unique_ptr<Event> message_;

    Stage stage_ = Stage::none;
    int state_ = 0;
    Duration launch_distance_{};
    Time launch_{};   // LTime
    Time before_{};   // TBI
    Time after_{};    // TAI
    Time handler_{};  // TIntr
    Duration interrupt_latency_{};
    Duration total_{};
    GrantedTime granted_before_;
    GrantedTime granted_after_;
    std::vector<int> counter_states_;
    std::vector<double> percent_;
    WultPoints points_;
    SampleTable samples_;
};

const Register<Workload, Wult> kWult{
    "wult",
    "an event a random distance ahead wakes the CPU that armed it",
    {
        config::field("cpu", &Wult::Params::cpu, "the measured CPU"),
        config::field("device",
                      &Wult::Params::device,
                      "hrt: an hrtimer, measured at its expiry; tdt: the same, at the entry of the "
                      "timer interrupt; nic: a network card, which nothing foresees"),
        config::field("ldist_min", &Wult::Params::ldist_min, "shortest launch distance").positive(),
        config::field("ldist_max", &Wult::Params::ldist_max, "longest launch distance").positive(),
        config::field("datapoints", &Wult::Params::datapoints, "how many to keep")
            .at_least(1)
            .at_most(1'000'000'000),
    }};

}  // namespace
}  // namespace idlesim
