<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>Chart</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FilterLine</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n value(s)</source>
        <translation>
            <numerusform>%n value</numerusform>
            <numerusform>%n values</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>Layers</name>
    <message numerus="yes">
        <source>log scale · a cross is one of %n skipped update(s)</source>
        <translation>
            <numerusform>log scale · a cross is one of %n skipped update</numerusform>
            <numerusform>log scale · a cross is one of %n skipped updates</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunActions</name>
    <message numerus="yes">
        <source>Delete %n run(s) with their checkpoints and logs? This frees %1 and cannot be undone.</source>
        <translation>
            <numerusform>Delete %n run with their checkpoints and logs? This frees %1 and cannot be undone.</numerusform>
            <numerusform>Delete %n runs with their checkpoints and logs? This frees %1 and cannot be undone.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>RunTree</name>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>StudyTexts</name>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::BulkBar</name>
    <message numerus="yes">
        <source>%n ticked</source>
        <translation>
            <numerusform>%n ticked</numerusform>
            <numerusform>%n ticked</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ChartsPage</name>
    <message numerus="yes">
        <source>%n row(s) copied</source>
        <translation>
            <numerusform>%n row copied</numerusform>
            <numerusform>%n rows copied</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::CheckpointsPage</name>
    <message numerus="yes">
        <source>%n checkpoint(s)</source>
        <translation>
            <numerusform>%n checkpoint</numerusform>
            <numerusform>%n checkpoints</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n snapshot(s) for later stages</source>
        <translation>
            <numerusform>%n snapshot for later stages</numerusform>
            <numerusform>%n snapshots for later stages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Resume from step %1? %n later checkpoint(s) will be discarded.</source>
        <translation>
            <numerusform>Resume from step %1? %n later checkpoint will be discarded.</numerusform>
            <numerusform>Resume from step %1? %n later checkpoints will be discarded.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::CompareHeader</name>
    <message numerus="yes">
        <source>%n variants on %1 ranks</source>
        <translation>
            <numerusform>%n variant on %1 ranks</numerusform>
            <numerusform>%n variants on %1 ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ComparePage</name>
    <message numerus="yes">
        <source>%n equal parameter(s) are shown.</source>
        <translation>
            <numerusform>%n equal parameter is shown.</numerusform>
            <numerusform>%n equal parameters are shown.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n equal parameter(s) are hidden.</source>
        <translation>
            <numerusform>%n equal parameter is hidden.</numerusform>
            <numerusform>%n equal parameters are hidden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more parameter(s) differ.</source>
        <translation>
            <numerusform>%n more parameter differs.</numerusform>
            <numerusform>%n more parameters differ.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n equal parameter(s) and %1 of these algorithms are hidden.</source>
        <translation>
            <numerusform>%n equal parameter and %1 of these algorithms are hidden.</numerusform>
            <numerusform>%n equal parameters and %1 of these algorithms are hidden.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s)</source>
        <translation>
            <numerusform>%n setting</numerusform>
            <numerusform>%n settings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::CostPanel</name>
    <message numerus="yes">
        <source>from %n earlier run(s)</source>
        <translation>
            <numerusform>from %n earlier run</numerusform>
            <numerusform>from %n earlier runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>With %n seed(s) nothing is claimed, whatever comes out.</source>
        <translation>
            <numerusform>With %n seed nothing is claimed, whatever comes out.</numerusform>
            <numerusform>With %n seeds nothing is claimed, whatever comes out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s) cannot show differences under %1 in this study:</source>
        <translation>
            <numerusform>%n seed cannot show differences under %1 in this study:</numerusform>
            <numerusform>%n seeds cannot show differences under %1 in this study:</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n comparison(s) share the level.</source>
        <translation>
            <numerusform>%n comparison has the level to itself.</numerusform>
            <numerusform>%n comparisons share the level.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s) show differences only that are more than %1 times what seeds differ by;</source>
        <translation>
            <numerusform>%n seed shows differences only that are more than %1 times what seeds differ by;</numerusform>
            <numerusform>%n seeds show differences only that are more than %1 times what seeds differ by;</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s), %1 times.</source>
        <translation>
            <numerusform>%n seed, %1 times.</numerusform>
            <numerusform>%n seeds, %1 times.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n earlier run(s) reached the target.</source>
        <translation>
            <numerusform>%1 of %n earlier run reached the target.</numerusform>
            <numerusform>%1 of %n earlier runs reached the target.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::Document</name>
    <message numerus="yes">
        <source>%n error(s)</source>
        <translation>
            <numerusform>%n error</numerusform>
            <numerusform>%n errors</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n warning</numerusform>
            <numerusform>%n warnings</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::DryRunPanel</name>
    <message numerus="yes">
        <source>Asking %n rank(s)…</source>
        <translation>
            <numerusform>Asking %n rank…</numerusform>
            <numerusform>Asking %n ranks…</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>process %1 on %2, %n thread(s)</source>
        <translation>
            <numerusform>process %1 on %2, %n thread</numerusform>
            <numerusform>process %1 on %2, %n threads</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s) started, reported and ended. Nothing was trained.</source>
        <translation>
            <numerusform>%n rank started, reported and ended. Nothing was trained.</numerusform>
            <numerusform>%n ranks started, reported and ended. Nothing was trained.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ExperimentHeader</name>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ForecastPanel</name>
    <message numerus="yes">
        <source>The memory of this machine, shared by %n rank(s)</source>
        <translation>
            <numerusform>The memory of this machine, shared by %n rank</numerusform>
            <numerusform>The memory of this machine, shared by %n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n × %1 (deduplicated)</source>
        <translation>
            <numerusform>%n × %1 (deduplicated)</numerusform>
            <numerusform>%n × %1 (deduplicated)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n × %1</source>
        <translation>
            <numerusform>%n × %1</numerusform>
            <numerusform>%n × %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::Launcher</name>
    <message numerus="yes">
        <source>%n run(s) still running</source>
        <translation>
            <numerusform>%n run still running</numerusform>
            <numerusform>%n runs still running</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::LayersPage</name>
    <message numerus="yes">
        <source>%1 · %2 · %n rank(s)</source>
        <translation>
            <numerusform>%1 · %2 · %n rank</numerusform>
            <numerusform>%1 · %2 · %n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::MatrixModel</name>
    <message numerus="yes">
        <source>%n trial(s)</source>
        <comment>of tuning</comment>
        <translation>
            <numerusform>%n trial</numerusform>
            <numerusform>%n trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n seed(s): %1</source>
        <translation>
            <numerusform>%n seed: %1</numerusform>
            <numerusform>%n seeds: %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::MetricChart</name>
    <message numerus="yes">
        <source>%n seed(s)</source>
        <translation>
            <numerusform>%n seed</numerusform>
            <numerusform>%n seeds</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n curve(s) still to be read</source>
        <translation>
            <numerusform>%n curve still to be read</numerusform>
            <numerusform>%n curves still to be read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>%n more</numerusform>
            <numerusform>%n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::NewExperimentDialog</name>
    <message numerus="yes">
        <source>All %n rank(s) of %1</source>
        <translation>
            <numerusform>All %n rank of %1</numerusform>
            <numerusform>All %n ranks of %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::NextTab</name>
    <message numerus="yes">
        <source>The study was frozen with %n seed(s) at most: more seeds are a new study that follows it.</source>
        <translation>
            <numerusform>The study was frozen with %n seed at most: more seeds are a new study that follows it.</numerusform>
            <numerusform>The study was frozen with %n seeds at most: more seeds are a new study that follows it.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ParallelView</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::PlanSection</name>
    <message numerus="yes">
        <source>%n step(s)</source>
        <translation>
            <numerusform>%n step</numerusform>
            <numerusform>%n steps</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s): %1</source>
        <translation>
            <numerusform>%n setting: %1</numerusform>
            <numerusform>%n settings: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n setting(s)</source>
        <translation>
            <numerusform>%n setting</numerusform>
            <numerusform>%n settings</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n rank(s)</source>
        <translation>
            <numerusform>%n rank</numerusform>
            <numerusform>%n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 and %n more</numerusform>
            <numerusform>%1 and %n more</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::ProblemsModel</name>
    <message numerus="yes">
        <source>%n problem(s) of %1 fixed: %2. Undo brings them back.</source>
        <translation>
            <numerusform>%n problem of %1 fixed: %2. Undo brings it back.</numerusform>
            <numerusform>%n problems of %1 fixed: %2. Undo brings them back.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RankTableModel</name>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RankTablePage</name>
    <message numerus="yes">
        <source>%n server(s)</source>
        <translation>
            <numerusform>%n server</numerusform>
            <numerusform>%n servers</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n device(s)</source>
        <translation>
            <numerusform>%n device</numerusform>
            <numerusform>%n devices</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Delete %n row(s)</source>
        <translation>
            <numerusform>Delete %n row</numerusform>
            <numerusform>Delete %n rows</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>edited %n minute(s) ago</source>
        <translation>
            <numerusform>edited %n minute ago</numerusform>
            <numerusform>edited %n minutes ago</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RanksPage</name>
    <message numerus="yes">
        <source>%1 · %2 · %n rank(s)</source>
        <translation>
            <numerusform>%1 · %2 · %n rank</numerusform>
            <numerusform>%1 · %2 · %n ranks</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunAlerts</name>
    <message numerus="yes">
        <source>The launch ended with it: %1 and %n more did not run.</source>
        <translation>
            <numerusform>The launch ended with it: %1 and %n more did not run.</numerusform>
            <numerusform>The launch ended with it: %1 and %n more did not run.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunGlance</name>
    <message numerus="yes">
        <source>%n rank(s) × %1 = %2</source>
        <translation>
            <numerusform>%n rank × %1 = %2</numerusform>
            <numerusform>%n ranks × %1 = %2</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunHeader</name>
    <message numerus="yes">
        <source>%n rank(s) × %1</source>
        <translation>
            <numerusform>%n rank × %1</numerusform>
            <numerusform>%n ranks × %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n experiment(s)</source>
        <translation>
            <numerusform>%n experiment</numerusform>
            <numerusform>%n experiments</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation>
            <numerusform>%1 of %n run</numerusform>
            <numerusform>%1 of %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunImport</name>
    <message numerus="yes">
        <source>%n run(s) imported</source>
        <translation>
            <numerusform>%n run imported</numerusform>
            <numerusform>%n runs imported</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunModel</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>0 of %n</source>
        <comment>runs that are done</comment>
        <translation>
            <numerusform>0 of %n</numerusform>
            <numerusform>0 of %n</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1, %n run(s)</source>
        <translation>
            <numerusform>%1, %n run</numerusform>
            <numerusform>%1, %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s) are done</source>
        <translation>
            <numerusform>%1 of %n run is done</numerusform>
            <numerusform>%1 of %n runs are done</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The value is the mean of %n final loss(es)</source>
        <translation>
            <numerusform>The value is its final loss</numerusform>
            <numerusform>The value is the mean of %n final losses</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunTableModel</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunTableView</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunsDock</name>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation>
            <numerusform>%1 of %n run</numerusform>
            <numerusform>%1 of %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n shown in charts</source>
        <comment>number of runs, then of those shown</comment>
        <translation>
            <numerusform>%1 · %n shown in charts</numerusform>
            <numerusform>%1 · %n shown in charts</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 · %n in charts</source>
        <comment>the same in fewer words</comment>
        <translation>
            <numerusform>%1 · %n in charts</numerusform>
            <numerusform>%1 · %n in charts</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::RunsPage</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n run(s)</source>
        <translation>
            <numerusform>%1 of %n run</numerusform>
            <numerusform>%1 of %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n archived</source>
        <translation>
            <numerusform>%n archived</numerusform>
            <numerusform>%n archived</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>reading %n more</source>
        <translation>
            <numerusform>reading %n more</numerusform>
            <numerusform>reading %n more</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s) copied as CSV</source>
        <translation>
            <numerusform>%n run copied as CSV</numerusform>
            <numerusform>%n runs copied as CSV</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StatusLine</name>
    <message numerus="yes">
        <source>%1 of %n rank(s)</source>
        <translation>
            <numerusform>%1 of %n rank</numerusform>
            <numerusform>%1 of %n ranks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n launch(es) waiting</source>
        <translation>
            <numerusform>%n launch waiting</numerusform>
            <numerusform>%n launches waiting</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n CPU core(s)</source>
        <translation>
            <numerusform>%n CPU core</numerusform>
            <numerusform>%n CPU cores</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyDetails</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tuning trial(s)</source>
        <translation>
            <numerusform>%n tuning trial</numerusform>
            <numerusform>%n tuning trials</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n more in the report</source>
        <translation>
            <numerusform>%n more in the report</numerusform>
            <numerusform>%n more in the report</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyForm</name>
    <message numerus="yes">
        <source>%n other measure(s)…</source>
        <translation>
            <numerusform>%n other measure…</numerusform>
            <numerusform>%n other measures…</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyHeader</name>
    <message numerus="yes">
        <source>%1 of %n run(s) ended</source>
        <translation>
            <numerusform>%1 of %n run ended</numerusform>
            <numerusform>%1 of %n runs ended</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n failed</numerusform>
            <numerusform>%n failed</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyList</name>
    <message numerus="yes">
        <source>%n study(s)</source>
        <translation>
            <numerusform>%n study</numerusform>
            <numerusform>%n studies</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyListModel</name>
    <message numerus="yes">
        <source>%1, %2, %3 of %n run(s) ended, %4 failed</source>
        <translation>
            <numerusform>%1, %2, %3 of %n run ended, %4 failed</numerusform>
            <numerusform>%1, %2, %3 of %n runs ended, %4 failed</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::StudyResults</name>
    <message numerus="yes">
        <source>%n comparison(s)</source>
        <translation>
            <numerusform>%n comparison</numerusform>
            <numerusform>%n comparisons</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n comparison(s): %1</source>
        <translation>
            <numerusform>%n comparison: %1</numerusform>
            <numerusform>%n comparisons: %1</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n pair(s) in each cell</source>
        <translation>
            <numerusform>%n pair in each cell</numerusform>
            <numerusform>%n pairs in each cell</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n tuning trial(s) per column</source>
        <translation>
            <numerusform>%1: %n tuning trial per column</numerusform>
            <numerusform>%1: %n tuning trials per column</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::VaryDialog</name>
    <message numerus="yes">
        <source>Replaces %n variant(s) of the file; undo brings them back</source>
        <translation>
            <numerusform>Replaces %n variant of the file; undo brings them back</numerusform>
            <numerusform>Replaces %n variants of the file; undo brings them back</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::WelcomePage</name>
    <message numerus="yes">
        <source>over %n step(s), log scale; with the final test accuracy</source>
        <translation>
            <numerusform>over %n step, log scale; with the final test accuracy</numerusform>
            <numerusform>over %n steps, log scale; with the final test accuracy</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>LeNet-5 on digits: Adasum against averaging, in about %n second(s). No download and no GPU is needed.</source>
        <translation>
            <numerusform>LeNet-5 on digits: Adasum against averaging, in about %n second. No download and no GPU is needed.</numerusform>
            <numerusform>LeNet-5 on digits: Adasum against averaging, in about %n seconds. No download and no GPU is needed.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>slipstream::ui::WhereBox</name>
    <message numerus="yes">
        <source>%n CPU core(s)</source>
        <translation>
            <numerusform>%n CPU core</numerusform>
            <numerusform>%n CPU cores</numerusform>
        </translation>
    </message>
</context>
</TS>
